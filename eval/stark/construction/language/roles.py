"""Who asks: STaRK's customer and researcher, PRIME's doctor, medical scientist and patient, and others for any base."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Role:
    """Somebody who asks: what they want to know of an entity, and how they speak."""

    name: str
    interests: str
    manner: str


ROLES: Mapping[str, tuple[Role, ...]] = {
    "general": (
        Role(
            "student",
            "what a thing is, what it looks like and how it came about",
            "simply, like somebody who has heard of it once and looks for the name",
        ),
        Role("journalist", "what is unusual, first, contested or human about it", "in a lively way, with some context"),
        Role("specialist", "how it works or is built, and what it is good for", "tersely and precisely"),
    ),
    "customer": (
        Role(
            "customer",
            "size, function, quality, style and ease of use, and what others liked",
            "casually, often with the occasion that it is wanted for",
        ),
    ),
    "researcher": (
        Role("researcher", "topic, method, findings and contribution", "as people search for papers on the web"),
    ),
    "medical": (
        Role(
            "doctor",
            "diagnosis and treatment: symptoms, side effects, complications, warnings",
            "directly and practically",
        ),
        Role(
            "medical scientist",
            "causes and mechanisms: genetics, pathways, proteins, molecular function",
            "in detail and with the terms of the field",
        ),
        Role(
            "patient",
            "what one feels, what helps, what it does to daily life and whether it runs in families",
            "in plain words without terms of medicine, often with a bit of their own story",
        ),
    ),
}
"""By the name that `--roles` has for them."""
GENERAL = "general"
OF_BASES: Mapping[str, str] = {"amazon": "customer", "mag": "researcher", "prime": "medical"}
"""Which roles ask of STaRK's own bases, by the names of these."""


def roles_named(name: str, base: str) -> tuple[Role, ...]:
    """Return the roles of a name; of none those that fit a base by its name."""
    return ROLES[name or OF_BASES.get(base.casefold(), GENERAL)]
