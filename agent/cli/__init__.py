"""The command line as far as it needs no services; app.py adds the commands that do."""

from agent.cli.group import Commands
from agent.cli.housekeeping import doctor_command, say, show_command, snapshot_group, store_group, trace_group

__all__ = [
    "Commands",
    "doctor_command",
    "say",
    "show_command",
    "snapshot_group",
    "store_group",
    "trace_group",
]
