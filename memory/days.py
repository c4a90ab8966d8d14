"""Days, by which people say how long something is kept, in the seconds of our clocks."""

DAY = 86_400.0
