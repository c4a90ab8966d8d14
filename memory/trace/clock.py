"""The clock of a live run."""

import time


class SystemClock:
    """The clock of the machine."""

    def now(self) -> float:
        """Return seconds since the epoch, UTC."""
        return time.time()
