"""`python -m heliograph` is the program `heliograph`."""

from heliograph.starting import main

if __name__ == "__main__":
    main()
