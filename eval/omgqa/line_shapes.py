"""The lines of OMG-QA's files, validated field by field. A document is named by its page key, a node by what follows
`#` in its evidence id, so that a judgement stays with the state of the page that was judged."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from eval.omgqa.records import Judgement, OmgDocument, OmgLeaf, OmgQuestion
from heliograph.errors import UnknownName
from heliograph.types import EvidenceId, Modality, PageKey, Section
from indexers.parser import page_name, parse_id


def _evidence(name: str) -> str:
    """Refuse what is no evidence id, in the form in which pydantic names the field."""
    try:
        parse_id(EvidenceId(name))
    except UnknownName as err:
        raise ValueError(str(err)) from err
    return name


def _document(key: str) -> str:
    try:
        page_name(PageKey(key))
    except UnknownName as err:
        raise ValueError(str(err)) from err
    return key


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("is blank")
    return text


Said = Annotated[str, AfterValidator(_said)]
Named = Annotated[str, AfterValidator(_evidence)]
Document = Annotated[str, AfterValidator(_document)]


class _Line(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class QuestionLine(_Line):
    """A question; one that no article answers has neither answers nor evidence.

    `evidence` is null where answers are known and their evidence is labelled in another file: a data set's gold names
    no state of a page, so that it becomes evidence ids where pages are read.
    """

    id: Said
    question: Said
    answers: tuple[Said, ...]
    evidence: tuple[Named, ...] | None
    modalities: tuple[Modality, ...]
    source: Said

    @model_validator(mode="after")
    def _an_answer_stands_somewhere(self) -> Self:
        if self.evidence is None and not self.answers:
            raise ValueError("evidence is null, labelled apart, and there are no answers; leave it empty, []")
        if self.evidence is not None and bool(self.answers) != bool(self.evidence):
            raise ValueError(
                "answers and evidence are either both there or both empty; null where it is labelled apart"
            )
        return self

    def record(self) -> OmgQuestion:
        """Return the question."""
        evidence = tuple(map(EvidenceId, self.evidence or ()))
        return OmgQuestion(self.id, self.question, self.answers, evidence, self.modalities, self.source)


class SectionLine(_Line):
    """An inner node; the lead has no parent."""

    id: Said
    title: str
    level: int = Field(ge=1)
    parent: str | None


class LeafLine(_Line):
    """A leaf; its number is its place among sections and leaves in document order, the lead being 0."""

    number: int = Field(ge=1)
    node: Said
    section: Said
    modality: Modality
    text: str


class DocumentLine(_Line):
    """A document: sections in document order, and the leaves of each in theirs."""

    document: Document
    title: Said
    sections: tuple[SectionLine, ...]
    leaves: tuple[LeafLine, ...]

    @model_validator(mode="after")
    def _sections_are_a_tree(self) -> Self:
        known = set[str | None]([None])
        for section in self.sections:
            if section.parent not in known:
                raise ValueError(f"section {section.id} hangs in {section.parent}, which does not come before it")
            known.add(section.id)
        return self

    @model_validator(mode="after")
    def _leaves_hang_in_it_by_their_numbers(self) -> Self:
        places = {section.id: [leaf for leaf in self.leaves if leaf.section == section.id] for section in self.sections}
        if strange := [leaf.node for leaf in self.leaves if leaf.section not in places]:
            raise ValueError(f"leaf {strange[0]} hangs in no section of the document")
        nodes = [node for section in self.sections for node in (section, *places[section.id])]
        for number, node in enumerate(nodes):
            if isinstance(node, LeafLine):
                _evidence(f"{self.document}#{node.node}")
                if node.number != number:
                    raise ValueError(f"leaf {node.node} has number {node.number}, and its place is {number}")
        return self

    def record(self) -> OmgDocument:
        """Return the document."""
        sections = tuple(Section(each.id, each.title, each.level, each.parent) for each in self.sections)
        leaves = tuple(
            OmgLeaf(leaf.number, EvidenceId(f"{self.document}#{leaf.node}"), leaf.section, leaf.modality, leaf.text)
            for leaf in self.leaves
        )
        return OmgDocument(PageKey(self.document), self.title, sections, leaves)


class JudgementLine(_Line):
    """A judge's word on a pair."""

    question: Said
    document: Document
    node: Said
    label: Literal["relevant", "irrelevant"]
    judge: Said
    prompt: str = ""
    confidence: float | None = Field(default=None, ge=0, le=1)

    @model_validator(mode="after")
    def _the_node_can_be_named(self) -> Self:
        _evidence(f"{self.document}#{self.node}")
        return self

    def record(self) -> Judgement:
        """Return the judgement."""
        evidence = EvidenceId(f"{self.document}#{self.node}")
        return Judgement(self.question, evidence, self.label == "relevant", self.judge, self.prompt, self.confidence)
