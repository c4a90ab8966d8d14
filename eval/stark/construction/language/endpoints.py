"""Which language model does which step (STaRK, Table 11): one extracts, one or two write, up to three filter."""

import hashlib
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from agent.llm import ChatServers, RunModels
from agent.meter import Meter
from eval.lines import read_lines
from eval.omgqa.generation.kept import KeptReplies, ReplyLine
from heliograph.config import Endpoint, Settings
from heliograph.errors import UnknownName, UsageError
from heliograph.kept_settings import secrets
from heliograph.protocols import LLM
from heliograph.types import MODEL_ROLES, ModelRole
from memory.trace import SystemClock, TraceRecorder
from memory.trace.disk import Journal

WRITING: ModelRole = "answer"
FILTERING: ModelRole = "judge"
"""The roles under which models are asked and traced, and whose servers they have unless others are named."""
MOST_WRITERS, MOST_FILTERS = 2, 3
"""STaRK has as many."""
NAMED = ("llm", *MODEL_ROLES)
ANOTHER = "name another OUT"


@dataclass(frozen=True, slots=True)
class StepChoice:
    """The models of the steps: a server of the settings by its name, or `NAME=MODEL` for another model of it."""

    extractor: str = ""
    writers: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StepEndpoints:
    """The servers of the steps; with one writer both are the same."""

    extractor: Endpoint
    writer: Endpoint
    rephraser: Endpoint
    filters: tuple[Endpoint, ...]


@dataclass(frozen=True, slots=True)
class StepModels:
    """The models of the steps; what they replied once is not asked again."""

    extractor: LLM
    writer: LLM
    rephraser: LLM
    filters: tuple[LLM, ...]


def endpoints_of(choice: StepChoice, settings: Settings) -> StepEndpoints:
    """Look the servers of the steps up in the settings.

    Raises:
        UnknownName: the settings have no server of such a name at all.
        UsageError: it is not set, half of a name is missing, there are too many, or two filters are one model.
    """
    if len(choice.writers) > MOST_WRITERS or len(choice.filters) > MOST_FILTERS:
        raise UsageError(f"give --writer at most {MOST_WRITERS} times and --filter at most {MOST_FILTERS} times")
    for named in (choice.extractor, *choice.writers, *choice.filters):
        server, equals, model = named.partition("=")
        if equals and not (server and model.strip()):
            lacking = "a model" if server else "a server"
            raise UsageError(f"{named!r} lacks {lacking}; write SERVER, or SERVER=MODEL as llm=NAME")
    extractor = _endpoint(choice.extractor, WRITING, settings)
    writers = [_endpoint(each, WRITING, settings) for each in choice.writers or ("",)]
    filters = tuple(_endpoint(each, FILTERING, settings) for each in choice.filters or ("",))
    models = [each.model for each in filters]
    if twice := [each for each in models if models.count(each) > 1]:
        raise UsageError(
            f"two filters are the model {twice[0]!r}, which would say the same twice; name another --filter"
        )
    return StepEndpoints(extractor, writers[0], writers[-1], filters)


def _endpoint(named: str, role: ModelRole, settings: Settings) -> Endpoint:
    name, _, model = named.partition("=")
    if not name:
        found = settings.endpoint(role)
        if found is None:
            raise UsageError(
                "no language model is set; set HELIOGRAPH_LLM__BASE_URL and HELIOGRAPH_LLM__MODEL, or leave --by out"
            )
        return found
    if name not in NAMED:
        raise UnknownName(f"the settings have no server {name!r}; they have {', '.join(NAMED)}")
    own: Endpoint = getattr(settings, name)
    if not own.base_url:
        upper = f"HELIOGRAPH_{name.upper()}__"
        raise UsageError(f"no server is set for {name!r}; set {upper}BASE_URL and {upper}MODEL, or name another")
    return own.model_copy(update={"model": model}) if model else own


@asynccontextmanager
async def opened_models(endpoints: StepEndpoints, settings: Settings, folder: Path) -> AsyncIterator[StepModels]:
    """Open the models; their calls are traced in a folder, and their replies kept there, a file per model.

    Raises:
        ModelUnreachable: nobody is there.
        StoreFull | StoreError: the folder cannot be written.
    """
    trace = folder / "trace"
    async with AsyncExitStack() as stack:
        recorder = stack.enter_context(TraceRecorder(trace, trace.name, SystemClock(), secrets(settings)))
        servers = await stack.enter_async_context(ChatServers(secrets(settings)))
        models = RunModels(servers, recorder, Meter(), home=settings.home)
        kept = dict[str, KeptReplies]()

        def opened(endpoint: Endpoint, role: ModelRole) -> LLM:
            llm, name = models.llm(endpoint, role), endpoint.model
            if name in kept:
                return KeptReplies(llm, kept[name].journal, kept[name].known)
            path = folder / replies_file(name)
            journal = stack.enter_context(closing(Journal(path, ANOTHER)))
            kept[name] = KeptReplies(llm, journal, {line.asked: line for line in read_lines(path, ReplyLine)})
            return kept[name]

        found = StepModels(
            opened(endpoints.extractor, WRITING),
            opened(endpoints.writer, WRITING),
            opened(endpoints.rephraser, WRITING),
            tuple([opened(each, FILTERING) for each in endpoints.filters]),
        )
        await models.prepare()
        yield found


def replies_file(model: str) -> str:
    """Return the name of the file with the replies of a model."""
    plain = re.sub(r"[^A-Za-z0-9.-]+", "-", model)[:40]
    return f"replies-{plain}-{hashlib.sha256(model.encode()).hexdigest()[:8]}.jsonl"
