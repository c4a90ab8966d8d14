"""Names by spaCy, where it is installed."""

from importlib.util import find_spec

import pytest

from heliograph.errors import ModelMissing
from indexers.linking.spacy_names import PACKAGES, SpacyNames

INSTALLED = find_spec("spacy") is not None and any(find_spec(package) for package in PACKAGES)


def test_without_the_model_the_error_says_what_to_install():
    with pytest.raises(ModelMissing, match="no spaCy model no_such_model; pip install spacy"):
        list(SpacyNames("no_such_model")("Ada Brandt was here"))


@pytest.mark.models
@pytest.mark.skipif(not INSTALLED, reason="needs spaCy and its English model")
def test_names_are_found_and_numbers_are_not():
    names = list(SpacyNames()("In 1998 Barack Obama flew to Berlin with 12 others."))
    assert names == ["Barack Obama", "Berlin"]
