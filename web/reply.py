"""What routes reply with: an object of JSON, field by name."""

from collections.abc import Mapping

Json = Mapping[str, object]
