"""The words of constructed queries: two families, one per half, that share no pattern.

`{x}` is a mention or what a hop before leads to, `{r}` and `{rs}` a relation that is a noun, `{v}` a participle or a
verb that agrees with the noun before, `{v_one}` a verb in the third person, `{vb}` its base form and `{ved}` its
passive; of `[is/are]` the first stands for one entity and the second for several.
A relation is told from the "subject", the entity whose relation it is, or from the "object" at its other end.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from eval.drawing import Half
from eval.stark.query_plan import Comparison, Register

Patterns = tuple[str, ...]
Clauses = Mapping[str, Patterns]
"""Patterns by grammar and end, such as "noun subject"; "bare" leaves a relation unnamed."""


@dataclass(frozen=True, slots=True)
class Family:
    """All patterns of one half.

    Attributes:
        heads: whole queries by register, of `{type}` or `{types}` and `{clauses}`.
        relative: clauses behind a noun.
        without: the same, negated.
        sentences: what "it" is, for descriptions.
        denials: the same, negated.
        shared: behind a noun, that an entity has a neighbour of the type `{m}` in common with another.
        compared: behind a noun, of an attribute `{a}` and a value `{n}`; "after was" is of attributes like "created".
        comparisons: the same as sentences.
        text: behind a noun, of the words `{w}`.
        text_sentences: the same as sentences.
    """

    heads: Mapping[Register, Patterns]
    relative: Clauses
    without: Clauses
    sentences: Clauses
    denials: Clauses
    shared: Clauses
    compared: Mapping[Comparison | str, Patterns]
    comparisons: Mapping[Comparison | str, Patterns]
    text: Patterns
    text_sentences: Patterns


DEVELOPMENT = Family(
    heads={
        "question": (
            "Which {types} are there {clauses}?",
            "What are the {types} {clauses}?",
            "Which is the {type} {clauses}?",
        ),
        "request": (
            "Please list all {types} {clauses}.",
            "I am looking for {types} {clauses}.",
            "Find {types} {clauses}.",
        ),
        "fragment": ("{types} {clauses}", "list of {types} {clauses}", "any {type} {clauses}"),
        "description": (
            "I am trying to remember {a_type}. {sentences}. What is it called?",
            "There is {a_type} that I have in mind. {sentences}. Which one is meant?",
        ),
    },
    relative={
        "noun subject": ("whose {r} is {x}", "with {x} as [its/their] {r}"),
        "noun object": ("that [is/are] {r} of {x}", "that {x} has as {r}"),
        "nouns subject": ("whose {rs} include {x}", "with {x} among [its/their] {rs}", "that [has/have] {x} as {r}"),
        "nouns object": ("that [is/are] among the {rs} of {x}", "that {x} has among its {rs}"),
        "verb subject": ("that {v} {x}",),
        "verb object": ("that {x} {v_one}", "that [is/are] {ved} by {x}"),
        "participle subject": ("that [is/are] {v} {x}", "{v} {x}"),
        "participle object": ("that {x} is {v}",),
        "bare": ("of {x}", "that [belongs/belong] to {x}"),
    },
    without={
        "noun subject": ("whose {r} is not {x}", "without {x} as [its/their] {r}"),
        "noun object": ("that [is/are] not {r} of {x}",),
        "nouns subject": ("whose {rs} do not include {x}", "without {x} among [its/their] {rs}"),
        "nouns object": ("that [is/are] not among the {rs} of {x}",),
        "verb subject": ("that [does/do] not {vb} {x}",),
        "verb object": ("that {x} does not {vb}",),
        "participle subject": ("that [is/are] not {v} {x}",),
        "participle object": ("that {x} is not {v}",),
        "bare": ("not of {x}", "that [does/do] not belong to {x}"),
    },
    sentences={
        "noun subject": ("its {r} is {x}", "it has {x} as its {r}"),
        "noun object": ("it is {r} of {x}",),
        "nouns subject": ("its {rs} include {x}", "{x} is among its {rs}"),
        "nouns object": ("it is among the {rs} of {x}",),
        "verb subject": ("it {v_one} {x}",),
        "verb object": ("{x} {v_one} it",),
        "participle subject": ("it is {v} {x}",),
        "participle object": ("{x} is {v} it",),
        "bare": ("it belongs to {x}", "it has to do with {x}"),
    },
    denials={
        "noun subject": ("its {r} is not {x}",),
        "noun object": ("it is not {r} of {x}",),
        "nouns subject": ("{x} is not among its {rs}",),
        "nouns object": ("it is not among the {rs} of {x}",),
        "verb subject": ("it does not {vb} {x}",),
        "verb object": ("{x} does not {vb} it",),
        "participle subject": ("it is not {v} {x}",),
        "participle object": ("{x} is not {v} it",),
        "bare": ("it does not belong to {x}",),
    },
    shared={
        "noun subject": ("that [shares/share] {a_r} with {x}", "with the same {r} as {x}"),
        "noun object": ("that [is/are] {r} of the same {m} as {x}",),
        "nouns subject": ("that [shares/share] one of [its/their] {rs} with {x}", "with one of the same {rs} as {x}"),
        "nouns object": ("that [is/are] among the {rs} of the same {m} as {x}",),
        "verb subject": ("that {v} the same {m} as {x}",),
        "verb object": ("that the same {m} {v_one} as {x}",),
        "participle subject": ("that [is/are] {v} the same {m} as {x}",),
        "participle object": ("that the same {m} is {v} as {x}",),
        "bare": ("that [shares/share] {a_m} with {x}",),
    },
    compared={
        "more": ("with {a} above {n}", "whose {a} is more than {n}"),
        "less": ("with {a} below {n}", "whose {a} is less than {n}"),
        "after": ("whose {a} is later than {n}", "with {a} after {n}"),
        "before": ("whose {a} is earlier than {n}", "with {a} before {n}"),
        "after was": ("{a} after {n}", "that [was/were] {a} later than {n}"),
        "before was": ("{a} before {n}", "that [was/were] {a} earlier than {n}"),
        "most": ("with the highest {a}",),
        "least": ("with the lowest {a}",),
        "latest": ("with the latest {a}",),
        "earliest": ("with the earliest {a}",),
        "latest was": ("that [was/were] {a} last",),
        "earliest was": ("that [was/were] {a} first",),
    },
    comparisons={
        "more": ("its {a} is above {n}", "it has {a} of more than {n}"),
        "less": ("its {a} is below {n}", "it has {a} of less than {n}"),
        "after": ("its {a} is after {n}",),
        "before": ("its {a} is before {n}",),
        "after was": ("it was {a} after {n}",),
        "before was": ("it was {a} before {n}",),
        "most": ("of all such ones it has the highest {a}",),
        "least": ("of all such ones it has the lowest {a}",),
        "latest": ("of all such ones it has the latest {a}",),
        "earliest": ("of all such ones it has the earliest {a}",),
        "latest was": ("of all such ones it was {a} last",),
        "earliest was": ("of all such ones it was {a} first",),
    },
    text=("whose description mentions {w}", "with {w} in the description", "where the text speaks of {w}"),
    text_sentences=("its description mentions {w}", "the text about it speaks of {w}"),
)
REPORT = Family(
    heads={
        "question": (
            "Do you know any {types} {clauses}?",
            "Could you tell me the names of {types} {clauses}?",
            "Is there {a_type} {clauses}?",
        ),
        "request": (
            "Show me every {type} {clauses}.",
            "For a piece I am writing I need {types} {clauses}.",
            "Help me to identify {a_type} {clauses}.",
        ),
        "fragment": ("need {types} {clauses}", "looking up {types} {clauses}", "name of {type} {clauses}"),
        "description": (
            "A friend talked about {a_type} whose name escapes me. {sentences}. Any idea?",
            "My notes leave the name of {a_type} blank. {sentences}. Could you fill it in?",
        ),
    },
    relative={
        "noun subject": ("having {x} for [its/their] {r}", "whose {r} turns out to be {x}"),
        "noun object": ("given as {r} for {x}", "which [serves/serve] {x} as {r}"),
        "nouns subject": ("whose {rs} take in {x}", "having {x} as one of [its/their] {rs}"),
        "nouns object": ("listed with the {rs} of {x}", "which [counts/count] as one of the {rs} of {x}"),
        "verb subject": ("which {v} {x}",),
        "verb object": ("which {x} {v_one}", "{ved} by {x}"),
        "participle subject": ("which [is/are] {v} {x}",),
        "participle object": ("which {x} is {v}",),
        "bare": ("linked to {x}", "which [goes/go] with {x}"),
    },
    without={
        "noun subject": ("having something other than {x} for [its/their] {r}", "whose {r} turns out not to be {x}"),
        "noun object": ("not given as {r} for {x}",),
        "nouns subject": ("not having {x} as one of [its/their] {rs}",),
        "nouns object": ("not listed with the {rs} of {x}",),
        "verb subject": ("which [fails/fail] to {vb} {x}",),
        "verb object": ("which {x} never {v_one}",),
        "participle subject": ("which [is/are] never {v} {x}",),
        "participle object": ("which {x} is never {v}",),
        "bare": ("not linked to {x}",),
    },
    sentences={
        "noun subject": ("its {r} turns out to be {x}", "as for its {r}, that is {x}"),
        "noun object": ("it serves {x} as {r}",),
        "nouns subject": ("{x} counts as one of its {rs}", "one of its {rs} is {x}"),
        "nouns object": ("it counts as one of the {rs} of {x}",),
        "verb subject": ("it clearly {v_one} {x}",),
        "verb object": ("it is something that {x} {v_one}",),
        "participle subject": ("it has been {v} {x}",),
        "participle object": ("{x} has been {v} it",),
        "bare": ("it is linked to {x}", "it goes with {x}"),
    },
    denials={
        "noun subject": ("its {r} is anything but {x}",),
        "noun object": ("it does not serve {x} as {r}",),
        "nouns subject": ("none of its {rs} is {x}",),
        "nouns object": ("it is none of the {rs} of {x}",),
        "verb subject": ("nowhere does it {vb} {x}",),
        "verb object": ("it is nothing that {x} {v_one}",),
        "participle subject": ("it was never {v} {x}",),
        "participle object": ("{x} was never {v} it",),
        "bare": ("it is not linked to {x}",),
    },
    shared={
        "noun subject": ("having {a_r} in common with {x}", "for which the {r} is that of {x} too"),
        "noun object": ("given as {r} for a {m} that has {x} as {r} too",),
        "nouns subject": ("having one of [its/their] {rs} in common with {x}",),
        "nouns object": ("listed together with {x} among the {rs} of {a_m}",),
        "verb subject": ("which {v} {a_m} that {x} {v_one} too",),
        "verb object": ("which {a_m} {v_one} together with {x}",),
        "participle subject": ("which [is/are] {v} {a_m}, just like {x}",),
        "participle object": ("which {a_m} is {v}, just like {x}",),
        "bare": ("having {a_m} in common with {x}",),
    },
    compared={
        "more": ("exceeding {n} in {a}", "having a value of {a} over {n}"),
        "less": ("staying under {n} in {a}", "having a value of {a} under {n}"),
        "after": ("having {a} past {n}",),
        "before": ("having {a} prior to {n}",),
        "after was": ("which [was/were] not {a} until some time past {n}", "{a} since the end of {n}"),
        "before was": ("{a} prior to {n}", "which [was/were] already {a} when {n} began"),
        "most": ("and among those the leader in {a}", "and of that group the one topping the rest in {a}"),
        "least": ("and among those the last in {a}", "and of that group the one with the smallest {a}"),
        "latest": ("and among those the most recent in {a}",),
        "earliest": ("and among those the oldest in {a}",),
        "latest was": ("and among those the one most recently {a}",),
        "earliest was": ("and among those the one {a} before the rest",),
    },
    comparisons={
        "more": ("its {a} goes beyond {n}",),
        "less": ("its {a} does not reach {n}",),
        "after": ("its {a} lies past {n}",),
        "before": ("its {a} lies prior to {n}",),
        "after was": ("it was {a} at some time past {n}",),
        "before was": ("it was {a} prior to {n}",),
        "most": ("nothing else that this fits beats it in {a}",),
        "least": ("everything else that this fits beats it in {a}",),
        "latest": ("nothing else that this fits is more recent in {a}",),
        "earliest": ("nothing else that this fits is older in {a}",),
        "latest was": ("nothing else that this fits was {a} more recently",),
        "earliest was": ("nothing else that this fits was {a} sooner",),
    },
    text=(
        "described in terms of {w}",
        "which [has/have] to do with {w} by [its/their] account",
        "with an account that brings up {w}",
    ),
    text_sentences=("what is written on it touches on {w}", "it has something to do with {w}"),
)
FAMILIES: Mapping[Half, Family] = {"development": DEVELOPMENT, "report": REPORT}
