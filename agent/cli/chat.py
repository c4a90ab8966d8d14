"""The command `chat`: questions and commands line by line, as one conversation. Imports wait until it runs."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.options import run_options
from agent.cli.speaking import complain, say, show, show_inked
from heliograph.errors import HeliographError, UsageError
from heliograph.interrupts import INTERRUPTED

if TYPE_CHECKING:
    from agent.chat.lines import PipedLines, TypedLines
    from agent.chat.running import Runner
    from agent.chat.session import Session
    from agent.cli.application import Asker

QUIT = frozenset({"/quit", "/exit", "/q"})


@click.command("chat")
@run_options
@click.option(
    "--continue",
    "continued",
    is_flag=False,
    flag_value="last",
    metavar="[ID]",
    help="Go on with the last conversation, or with the one of this ID.",
)
def chat_command(preset: str | None, config: Path | None, continued: str | None, **settings: Any) -> None:
    """Answer questions as a conversation; follow-ups are understood from what was said before.

    /help lists the commands, Ctrl-C ends a question, Ctrl-D the chat. Lines may come from a pipe.
    """
    say("heliograph: starting")
    from agent.chat.lines import open_lines
    from agent.chat.running import Runner
    from agent.chat.session import Session
    from agent.cli.application import application
    from agent.rendering import counted

    heliograph = application().asker(preset, config, settings)
    if not heliograph.settings.sources:
        raise UsageError("no source: name one with --source zim:PATH, or try --preset demo or --preset live")
    session = Session(heliograph.settings.home)
    if continued is not None:
        going_on = session.go_on(continued)
        say(f"going on with {going_on.title!r}, {counted(going_on.questions, 'question')} ({going_on.id})")
    lines, runner = open_lines(heliograph.settings.home), Runner()
    if lines.typed:
        say("/help lists the commands, Ctrl-D ends the chat")
    code = INTERRUPTED
    try:
        code = converse(session, lines, runner, heliograph)
    finally:
        _end(runner, heliograph, code)
    if code:
        sys.exit(code)


def converse(session: "Session", lines: "TypedLines | PipedLines", runner: "Runner", heliograph: "Asker") -> int:
    """Answer line by line until there are no more; an error ends its line and never the chat.

    Returns:
        0 where somebody typed, who has read what went wrong; of lines of a pipe the exit code of the first that failed.
    """
    from agent.chat.running import Interrupted

    stopping, failed = False, 0
    while True:
        try:
            line = lines.read()
            if line is None or line.strip().casefold() in QUIT:
                return failed
            stopping = False
            _answer(line, session, runner, heliograph)
        except HeliographError as err:
            complain(str(err))
            failed = failed or (0 if lines.typed else err.exit_code)
        except (KeyboardInterrupt, Interrupted) as err:
            if not lines.typed:
                raise KeyboardInterrupt from err
            if isinstance(err, Interrupted):
                continue
            if stopping:
                click.echo(err=True)
                return 0
            stopping = True
            say("\nCtrl-C once more ends the chat")


def _answer(line: str, session: "Session", runner: "Runner", heliograph: "Asker") -> None:
    from agent.chat.commands import INKED, obeyed

    if not line.strip():
        return
    if line.lstrip().startswith("/"):
        coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        (show_inked if line.split(maxsplit=1)[0].casefold() in INKED else show)(obeyed(line, session, coloured))
        return
    _ask(line, session, runner, heliograph)


def _ask(line: str, session: "Session", runner: "Runner", heliograph: "Asker") -> None:
    """Understand a question, ask it and keep the turn; an interrupted run is named, so that it can be resumed."""
    from agent.chat.running import Interrupted
    from agent.question import valid_question
    from agent.terminal import Output, show_answer
    from heliograph.types import Answer

    typed, before, heard = valid_question(line), heliograph.run, True

    def tell(text: str) -> None:
        if heard:
            say(text)

    async def answered() -> tuple[str, Answer]:
        asked = await _understood(typed, session, heliograph)
        return asked, await heliograph.ask(asked, tell, earlier=session.earlier, scope=session.scope)

    try:
        if runner.busy:
            say("waiting for the end of the question that was interrupted")
        asked, answer = runner.run(answered)
    except Interrupted:
        heard = False
        begun = heliograph.run if heliograph.run != before else ""
        session.run = begun or session.run
        say(f"\ninterrupted; {f'go on with heliograph resume {begun}' if begun else 'nothing was begun'}")
        raise
    show(show_answer(answer, Output(), session.home).strip("\n"))
    session.answered(typed, asked, answer)


async def _understood(typed: str, session: "Session", heliograph: "Asker") -> str:
    """Return the question as it stands alone, and say how it was understood where that differs."""
    from agent.chat.understanding import understand

    understood = await understand(typed, session.turns, heliograph.stand_alone(say))
    if understood.asked != typed:
        say(f"understood as: {understood.asked}")
    elif understood.open_words:
        say(f"asked as it stands: what {understood.open_words!r} means here is not known")
    return understood.asked


def _end(runner: "Runner", heliograph: "Asker", code: int) -> None:
    """Release the home folder; threads that an interrupted question left behind would keep the process for long."""
    if runner.close():
        heliograph.close()
    if runner.interrupted:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
