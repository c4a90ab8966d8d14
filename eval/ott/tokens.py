"""The token vectors of the corpus: opened, and encoded as a whole where somebody asks for it.

Vectors are kept by the line that they encode, so all scopes of one model share a store.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from statistics import fmean

from heliograph.protocols import TokenEncoder
from indexers.edges.graph import Lines
from indexers.edges.mended_tokens import mended_store
from indexers.edges.node_tokens import LINES_A_COMMIT, NodeTokens
from indexers.edges.token_store import TokenStore
from indexers.lock import WriterLock
from indexers.pace import Pace, Say

TOKEN_BYTES = 130
"""What one token's vector takes: a byte each of 128 dimensions, and a scale."""
CHARACTERS_A_TOKEN, MOST_TOKENS = 4.0, 256
"""By which the cost is estimated before anything is encoded: word pieces of English, and where models cut a text."""
SAMPLED = 400
"""Lines that the estimate looks at."""


@dataclass(frozen=True, slots=True)
class KeptTokens:
    """A store of token vectors, and what fills and compares them."""

    store: TokenStore
    nodes: NodeTokens


def open_tokens(encoder: TokenEncoder, folder: Path, stack: ExitStack, say: Say = lambda _: None) -> KeptTokens:
    """Open the store of a model for this process alone, until the stack is closed; damaged vectors are made again.

    Raises:
        ModelMissing: the model cannot be loaded.
        StoreLocked: another process has the store.
        StoreFull | StoreError: it cannot be written.
    """
    home = folder / encoder.name.replace("/", "--")
    stack.enter_context(WriterLock(home))
    store = mended_store(home, encoder.name, encoder.dimensions, say)
    return KeptTokens(store, NodeTokens(encoder, store))


def open_each(encoders: Iterable[TokenEncoder], folder: Path, stack: ExitStack, say: Say) -> Mapping[str, KeptTokens]:
    """Open the stores of models by their names: what has one name is one model, and its store is opened once.

    Raises:
        ModelMissing | StoreError: as `open_tokens` does.
    """
    named = {encoder.name: encoder for encoder in encoders}
    return {name: open_tokens(encoder, folder, stack, say) for name, encoder in named.items()}


async def encode_all(sides: Sequence[Lines], tokens: KeptTokens, say: Say) -> None:
    """Encode every node that has no vectors yet; started again, it goes on where it was stopped."""
    missing = sum(tokens.store.position(line) is None for line in _lines(sides))
    lines = (line for line in _lines(sides) if tokens.store.position(line) is None)
    pace, done = Pace("nodes encoded", missing, say), 0
    while part := list(islice(lines, LINES_A_COMMIT)):
        await tokens.nodes.keep(part)
        done += len(part)
        pace.done(done)


def cost(sides: Sequence[Lines]) -> str:
    """Say how many nodes there are, and what their vectors take."""
    nodes = sum(map(len, sides))
    every = islice(_lines(sides), 0, None, max(1, nodes // SAMPLED))
    tokens = nodes * fmean(min(MOST_TOKENS, len(line) / CHARACTERS_A_TOKEN) for line in every)
    return f"{nodes:,} nodes, about {tokens * TOKEN_BYTES / 1e9:.2g} GB at {TOKEN_BYTES} bytes a token"


def _lines(sides: Sequence[Lines]) -> Iterator[str]:
    return chain.from_iterable((side[number] for number in range(len(side))) for side in sides)
