"""Every error that Heliograph raises on purpose.

HeliographError            exit 1 is never used: each leaf has its documented exit code
├── UsageError             2   a question, option or setting that cannot be used
│   ├── InvalidQuestion    2   empty, blank, too long, control characters
│   ├── UnknownName        2   a source, preset or option that does not exist
│   │   ├── QuestionGone   2   a kept question that was answered, asked again or forgotten meanwhile (HTTP 409)
│   │   └── UnknownEntity  2   a knowledge base has no entity of this id, number or name
│   ├── NotBuilt           2   an option of a later release, with the reason
│   ├── CalculationError   2   a named calculation over a table that cannot be carried out
│   │   ├── UnknownTable   2   no table at hand has the id
│   │   ├── UnknownColumn  2   no column, or more than one, has the name
│   │   ├── UnknownRow     2   no row, or more than one, has the id or the text, or no row is left
│   │   ├── WrongOperands  2   an operation got too few or too many rows, or lacks a column, date or value
│   │   ├── WrongKind      2   a column holds no figures, no dates, or figures of another dimension
│   │   └── Undecided      2   cells are unreadable, ranges, or ties, so that no result is certain
│   ├── UnsafeSettings     2   a settings file of the current folder that may not be trusted
│   └── ContactMissing     2   live Wikipedia without the operator's contact
├── ServerFull             2   `heliograph serve` has no place for another question (HTTP 429)
├── ModelError             4   a model cannot be used
│   ├── ModelMissing       4   the model is not installed or not the one expected
│   ├── ModelUnreachable   4   the model server refuses, is down, or does not know the key or the model
│   ├── ModelTimeout       4   the model server did not answer in time
│   ├── ModelOverloaded    4   the model server says 429 or 5xx
│   ├── ModelMalformed     4   what the model wrote fits no schema, after the repairs there are
│   │   └── NoCompletion   4   what came back was written by no model: a page of a proxy, an address that is another's
│   │       └── ReplyTooLong 4  it is longer than any reply
│   ├── ContextOverflow    4   a prompt is longer than the model's context
│   └── ModelBudgetSpent   4   no calls or tokens are left
├── SearchUnavailable      5   every source failed
│   ├── RateLimited        5   a source asks to wait longer than there is time: never "no results"
│   ├── SourceBlocked      5   a source refuses us: a block page, 403, a captcha
│   ├── ArchiveUnreadable  5   a ZIM archive that is missing, truncated or no archive
│   ├── PageUnavailable    5   one page: missing, or a redirect loop
│   └── HostilePage        5   a page past the parser's caps (cells, nesting, size, time)
└── StoreError             6   the home folder
    ├── StoreLocked        6   another process writes to it
    ├── StoreDamaged       6   a file of it cannot be read
    ├── StoreFull          6   no space left, on the disk, behind stdout too, or under the size limit
    ├── StoreUnreachable   6   the server of vectors or of a graph is down, slow, refuses us, or is no such server
    └── ReplayMiss         6   a recorded run lacks a call that the replay made
"""

from typing import ClassVar


class HeliographError(Exception):
    """Name the cause and the next step; `exit_code` is what the command line ends with."""

    exit_code: ClassVar[int] = 2


class UsageError(HeliographError):
    """A question, option or setting cannot be used."""


class InvalidQuestion(UsageError):
    """The question is empty, too long or not text."""


class UnknownName(UsageError):
    """A source, preset or option does not exist."""


class QuestionGone(UnknownName):
    """A kept question is no longer among those without an answer: it was answered, asked again or forgotten."""


class UnknownEntity(UnknownName):
    """A knowledge base has no such entity."""


class NotBuilt(UsageError):
    """The option belongs to a later release."""


class CalculationError(UsageError):
    """A named calculation over a table cannot be carried out.

    `known` are the names that there are of what was named wrongly: tables, columns, rows or values.
    """

    def __init__(self, message: str, known: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.known = known


class UnknownTable(CalculationError):
    """No table at hand has the id."""


class UnknownColumn(CalculationError):
    """A column's name is that of none or of several; `known` are the names that there are, or that it may be."""


class UnknownRow(CalculationError):
    """A row's name is that of none or of several, or the conditions leave no row."""


class WrongOperands(CalculationError):
    """An operation has too few or too many operands."""


class WrongKind(CalculationError):
    """A column holds nothing that the operation can be carried out on."""


class Undecided(CalculationError):
    """The cells allow no certain result."""


class UnsafeSettings(UsageError):
    """A settings file found in the current folder would send a key elsewhere."""


class ContactMissing(UsageError):
    """Live Wikipedia may only be asked by an operator who says how to be reached."""


class ServerFull(HeliographError):
    """All places for questions are taken."""


class ModelError(HeliographError):
    """A model cannot be used."""

    exit_code = 4


class ModelMissing(ModelError):
    """A model cannot be loaded."""


class ModelUnreachable(ModelError):
    """A model server refuses, is down, or does not know the key or the model."""


class ModelTimeout(ModelError):
    """A model server did not answer within its deadline."""


class ModelOverloaded(ModelError):
    """A model server says that it has too much to do, or fails inside."""


class ModelMalformed(ModelError):
    """What a model wrote fits no schema, or does not end."""


class NoCompletion(ModelMalformed):
    """What came back is no chat completion, so that nothing is known of what the model would write."""


class ReplyTooLong(NoCompletion):
    """A server sends more bytes than any reply has."""


class ContextOverflow(ModelError):
    """A prompt is longer than the context of the model."""


class ModelBudgetSpent(ModelError):
    """No calls or no tokens are left of the budget of this question."""


class SearchUnavailable(HeliographError):
    """No source can be asked."""

    exit_code = 5


class RateLimited(SearchUnavailable):
    """A source asks to wait for longer than there is time."""


class SourceBlocked(SearchUnavailable):
    """A source refuses to serve us."""


class ArchiveUnreadable(SearchUnavailable):
    """A ZIM archive is missing, truncated or not an archive."""


class PageUnavailable(SearchUnavailable):
    """A page is missing, empty, or redirects in a loop."""


class HostilePage(SearchUnavailable):
    """A page goes past the caps of the parser."""


class StoreError(HeliographError):
    """The home folder cannot be used."""

    exit_code = 6


class StoreLocked(StoreError):
    """Another process holds the lock."""


class StoreDamaged(StoreError):
    """A file of the store cannot be read."""


class StoreFull(StoreError):
    """No space is left on the disk or under the size limit."""


class StoreUnreachable(StoreError):
    """A server cannot be used: of a graph, or of the vectors, which can be made again from the home folder."""


class ReplayMiss(StoreError):
    """A replayed run made a call that was not recorded."""
