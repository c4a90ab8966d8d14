"""`python -m heliograph` is the program `heliograph`."""

from heliograph.starting import main

main()
