"""A word of denial stands at one of the names beside it, and at what is joined to that."""

import pytest

from tools.skb.planning.denials import Denials, Span

RELATIONS = {"Corvin": ("painted",), "Delacour": ("bought",), "Ebner": ("bought",)}
LIKE = {
    ("paint", "painted"): 0.8,
    ("painted", "painted"): 1.0,
    ("bought", "bought"): 1.0,
    ("buy", "bought"): 0.8,
    ("hung", "painted"): 0.4,
    ("hung", "bought"): 0.3,
    ("hang", "bought"): 0.3,
    ("part", "painted"): 0.2,
    ("drawing", "painted"): 0.5,
}


def spans(query: str) -> dict[str, Span]:
    return {name: (query.index(name), query.index(name) + len(name)) for name in RELATIONS if name in query}


def denials(query: str) -> Denials:
    relations = {span: RELATIONS[name] for name, span in spans(query).items()}
    return Denials(query, relations, lambda word, relation: LIKE.get((word, relation), 0.1))


@pytest.mark.parametrize(
    ("query", "denied"),
    [
        ("pictures not painted by Corvin that Delacour bought", "Corvin"),
        ("pictures that Delacour bought and that were not painted by Corvin", "Corvin"),
        ("pictures that Corvin did not paint and Delacour bought", "Corvin"),
        ("pictures that Corvin did not hang and Delacour bought", "Delacour"),
        ("pictures bought by Delacour that Corvin never painted", "Corvin"),
        ("pictures that Corvin painted but that are not with Delacour", "Delacour"),
        ("pictures of Corvin without Delacour", "Delacour"),
        ("pictures that Corvin hadn't painted and Delacour bought", "Corvin"),
        ("pictures that Corvin didn’t paint and Delacour bought", "Corvin"),
        ("pictures that cannot be by Corvin", "Corvin"),
        ("pictures by Corvin, not by Delacour", "Delacour"),
        ("pictures by anybody other than Corvin that Delacour bought", "Corvin"),
        ("pictures by Corvin that neither Delacour nor Ebner bought", "Delacour Ebner"),
        ("pictures by Corvin not bought by Delacour or Ebner", "Delacour Ebner"),
        ("pictures by Corvin not bought by Delacour for Ebner", "Delacour"),
        ("Did Delacour buy what Corvin himself did not?", "Corvin"),
        ("pictures that Corvin had no part in drawing", "Corvin"),
        ("pictures by Corvin never hung", ""),
        ("pictures by Corvin and never hung", ""),
        ("pictures by Corvin but not for sale in a town by the sea where Delacour lived", ""),
        ("pictures by Corvin for Delacour", ""),
    ],
)
def test_of_the_names_beside_a_denial_one_is_denied_with_what_is_joined_to_it(query: str, denied: str) -> None:
    said = denials(query)
    assert [name for name, span in spans(query).items() if said.deny(span)] == denied.split()


def test_a_value_behind_a_denied_name_is_not_denied() -> None:
    query = "pictures not in oil that were not painted by Corvin in winter"
    said = denials(query)
    assert said.deny_word(query.index("oil")) and not said.deny_word(query.index("winter"))
    assert not said.deny_word(query.index("pictures"))


def test_a_denial_within_a_name_denies_nothing() -> None:
    query = "rooms where Not Vital hangs beside Corvin"
    corvin, name = query.index("Corvin"), query.index("Not Vital")
    relations = {(name, name + len("Not Vital")): ("shows",), (corvin, corvin + len("Corvin")): ("shows",)}
    assert not Denials(query, relations, lambda _word, _relation: 1.0)
