"""Runs told to a collector beside whoever else listens, where one is set."""

import os
from logging import getLogger
from typing import TYPE_CHECKING

from agent.running import Hearing
from heliograph.collectors import traces_address
from heliograph.config import Settings
from heliograph.kept_settings import secrets
from memory.trace.recorder import Listener

if TYPE_CHECKING:
    from memory.trace.otlp import OtlpExport

LOG = getLogger("heliograph.traces")


class Exporting:
    """One collector for all runs of an object; nothing is loaded where none is set.

    That it fails is logged, once: it concerns who runs the program, not the question that happened to come first, and
    it is noticed in a thread which the event loop of no question knows of.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._export: OtlpExport | None = None

    def listener(self, hearing: Hearing) -> Listener:
        """Return the listener of a run; beside it the collector hears of it.

        Raises:
            UsageError: the address of the collector is none.
        """
        address = traces_address(self._settings.otlp_endpoint, os.environ)
        if not address:
            return hearing.listener
        if self._export is None:
            from memory.trace.otlp import OtlpExport

            hidden = secrets(self._settings)
            self._export = OtlpExport(address, self._settings.home, hidden, LOG.warning)
        return self._export.beside(hearing.listener)

    def close(self) -> None:
        """Send what is queued, within seconds, and end the thread that sends."""
        if self._export is not None:
            self._export.close()
