"""Commands that train and evaluate; app.py adds them to the others."""

from eval.cli.omgqa import omgqa_group
from eval.cli.ott import eval_group
from eval.cli.stark import stark_group
from eval.cli.stark_construction import construct_command
from eval.cli.training import train_group

eval_group.add_command(omgqa_group)
eval_group.add_command(stark_group)
stark_group.add_command(construct_command)

COMMANDS = (eval_group, train_group)
"""Each imports what it needs when it runs."""
