"""The command line; app.py hands itself over as the context object of every command."""

from agent.cli.chat import chat_command
from agent.cli.graph import graph_group
from agent.cli.group import Commands
from agent.cli.housekeeping import (
    config_group,
    doctor_command,
    show_command,
    snapshot_group,
    store_group,
)
from agent.cli.knowledge import skb_group
from agent.cli.memory import memory_group
from agent.cli.replaying import replay_command
from agent.cli.running import ask_command, report_command, resume_command
from agent.cli.tracing import trace_group

COMMANDS = (
    ask_command,
    report_command,
    chat_command,
    resume_command,
    replay_command,
    trace_group,
    show_command,
    memory_group,
    store_group,
    snapshot_group,
    graph_group,
    skb_group,
    config_group,
    doctor_command,
)

__all__ = ["COMMANDS", "Commands"]
