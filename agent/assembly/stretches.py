"""A run that went another way from a step on: services for each stretch of it, from the settings that held there."""

from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from agent.assembly.backends import build_backends
from agent.assembly.services import build_services, limits_of
from agent.llm import ChatServers
from agent.services import Services, Turn, nothing_to_prepare
from heliograph.kept_settings import recorded_settings
from heliograph.protocols import Recorder
from memory.trace import Manifest

BY_LIMITS = frozenset(
    {
        "rounds",
        "pages_per_round",
        "retrieve_k",
        "evidence_k",
        "evidence_share",
        "max_seconds",
        "max_pages",
        "citations",
    }
)
"""Settings that no service is built by: where only these change, every service stays and remembers what it did."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a run: its settings without keys, its embedding model by name, and whether services are built anew.

    `last` is said of the last one that builds any: whatever comes before it is given back by the record.
    """

    settings: Mapping[str, object]
    embedder: str
    anew: bool
    last: bool


Make = Callable[[Stretch, Services | None], Services]
"""Builds the services of a stretch; those before it, if any, hand their pages and costs over."""


def stretches_of(manifest: Manifest) -> tuple[Stretch, ...]:
    """Return the stretches of a run, one more than its branches."""
    anew = [True, *(not_by_limits(branch.changed) for branch in manifest.branches)]
    last = max(place for place, each in enumerate(anew) if each)
    said = [
        (manifest.settings, manifest.embedder),
        *((branch.settings, branch.embedder) for branch in manifest.branches),
    ]
    return tuple(Stretch(*each, anew[place], place == last) for place, each in enumerate(said))


def living(manifest: Manifest) -> Stretch:
    """Return the stretch whose services may take effect."""
    return next(stretch for stretch in stretches_of(manifest) if stretch.last)


def not_by_limits(changed: Collection[str]) -> bool:
    """Say whether services must be built anew for settings that changed."""
    return not BY_LIMITS.issuperset(changed)


def build_stretches(manifest: Manifest, make: Make) -> Services:
    """Return the services that a run begins with; their turns are those of its branches."""
    first, *others = stretches_of(manifest)
    begun = make(first, None)
    return replace(begun, turns=tuple(_turns(manifest, begun, others, make)))


def _turns(manifest: Manifest, services: Services, stretches: Collection[Stretch], make: Make) -> Iterator[Turn]:
    for branch, stretch in zip(manifest.branches, stretches, strict=True):
        begin: Callable[[], Awaitable[None]] = nothing_to_prepare
        if stretch.anew:
            services = make(stretch, services)
            begin = services.prepare
        else:
            settings = recorded_settings(stretch.settings)
            services = replace(services, limits=limits_of(settings), policy=settings.citations)
        yield Turn(branch.node, branch.time, services, begin)


def recorded_services(stretch: Stretch, recorder: Recorder, manifest: Manifest, before: Services | None) -> Services:
    """Build the services of a recorded stretch; nothing behind the record is ever opened."""
    settings = recorded_settings(stretch.settings)
    backends = build_backends(settings, stretch.embedder)
    unread = replace(backends, sources=replace(backends.sources, pages=()))
    earlier, scope = manifest.earlier, manifest.scope
    return build_services(settings, unread, recorder, lambda _: None, ChatServers(), earlier, before, scope)
