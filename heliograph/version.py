"""The version of this distribution, told to wikis and kept with every run."""

VERSION = "0.2.0"
