"""The services of a recorded run, which ask nothing."""

from agent.assembly.stretches import build_stretches, recorded_services
from agent.services import Services
from memory.trace import ReplayRecorder
from memory.trace.folder import Manifest


def replay_services(recorder: ReplayRecorder, manifest: Manifest) -> Services:
    """Build the services of a recorded run from its settings; nothing behind the record is ever opened.

    Raises:
        UsageError: the run was begun with settings that this version does not know.
    """
    return build_stretches(manifest, lambda stretch, before: recorded_services(stretch, recorder, manifest, before))
