"""STaRK's folders of pickles and tensors, read without torch, and what hostile or damaged ones are told."""

import os
import pickle
import sys
import zipfile
from collections import OrderedDict
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import UsageError
from heliograph.types import EntityRecord, TripleRecord
from indexers.skb import stark_folder
from indexers.skb.stark_folder import (
    MAG_RELATIONS,
    MAG_TYPES,
    StarkFolder,
    is_stark_folder,
    open_stark_folder,
    read_plain_pickle,
    read_tensor,
)

Numbers = np.ndarray[Any, Any]
Save = Callable[[Path, Numbers], None]

PRODUCT = {
    "asin": "0000031852",
    "title": "Storm Lantern",
    "brand": np.str_("Skerry"),
    "global_category": "Home and Kitchen",
    "category": ["lanterns"],
    "price": "$1,024.50",
    "rank": "2,758 in Home",
    "details": {"product_dimensions": "4 x 4 x 9 inches ; 1.2 pounds", "asin": "0000031852"},
    "description": ["Burns  oil.", "Never\nblows out."],
    "feature": ["ASIN: 0000031852", "Brass"],
    "review": [
        {"summary": "Fine", "reviewText": "It burns.", "vote": float("nan")},
        {"summary": "Bright", "reviewText": "Seen for miles.", "vote": "1,200"},
    ],
    "qa": [{"question": "Does it leak?", "answer": "No."}],
}
GENE = {
    "id": 7157,
    "type": "gene/protein",
    "name": "TP53",
    "source": "NCBI",
    "details": {
        "_id": "7157",
        "mim_id": "191170",
        "alias": ["P53", "LFS1"],
        "other_names": "antigen NY-CO-13",
        "summary": "Suppresses tumours.",
        "genomic_pos": [{"chr": "17", "strand": -1}, {"chr": "18"}],
        "generif": [{"pubmed": 1, "text": "Mutated in half of them."}, {"pubmed": 2, "text": "Guards the genome."}],
        "interpro": {"id": "IPR002117", "desc": "p53 tumour suppressor family"},
        "state": float("nan"),
    },
}
PAPER = {
    "type": "paper",
    "mag_id": 2133990480,
    "title": "Lamps of the North",
    "abstract": "On lamps.\r\nAnd oil.",
    "Date": "1904-05-01",
    "Year": 1904,
    "CitationCount": 12,
    "OriginalVenue": -1,
    "JournalDisplayName": "Sound Letters",
    "ConferenceSeriesDisplayName": "-1",
}
AUTHOR = {"type": "author", "DisplayName": "Ada Brandt", "PaperCount": 3, "CitationCount": -1}


class Storage:
    """What torch's pickler names by a persistent id."""

    def __init__(self, kind: type, items: int) -> None:
        self.persistent_id = ("storage", kind, "0", "cpu", items)


class Reduced:
    """Pickled as a call of a function."""

    def __init__(self, function: Callable[..., object], *given: object) -> None:
        self.call = (function, given)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self.call


class TorchPickler(pickle.Pickler):
    def persistent_id(self, obj: object) -> object:
        return getattr(obj, "persistent_id", None) if isinstance(obj, Storage) else None


def _rebuild_tensor_v2() -> None: ...


def _load_from_bytes() -> None: ...


TORCH = {"torch": ModuleType("torch"), "torch._utils": ModuleType("_utils"), "torch.storage": ModuleType("storage")}
KINDS = {name: type(name, (), {"__module__": "torch"}) for name in ("LongStorage", "IntStorage", "FloatStorage")}
vars(TORCH["torch"]).update(KINDS)
for module, function in (("torch._utils", _rebuild_tensor_v2), ("torch.storage", _load_from_bytes)):
    function.__module__ = module
    setattr(TORCH[module], function.__name__, function)


def torch_pickle(path: Path, value: object) -> None:
    """Write a pickle that names functions of a torch that need not be there."""
    with patch.dict(sys.modules, TORCH), path.open("wb") as file:
        TorchPickler(file, 2).dump(value)


def save_tensor(path: Path, storage: Numbers, **parts: Any) -> None:
    """Write a zip like that of `torch.save`, with `parts` instead of those that fit the storage."""
    fitting = {
        "items": len(storage),
        "size": (len(storage),),
        "stride": (1,),
        "offset": 0,
        "kind": "LongStorage",
        "order": "little",
        "compression": zipfile.ZIP_STORED,
    }
    part = fitting | parts
    claimed = Storage(KINDS[part["kind"]], part["items"])
    tensor = Reduced(_rebuild_tensor_v2, claimed, part["offset"], part["size"], part["stride"], False, OrderedDict())
    torch_pickle(path, part.get("header", tensor))
    described = path.read_bytes()
    with zipfile.ZipFile(path, "w", part["compression"]) as archive:
        archive.writestr(f"{path.stem}/data.pkl", described, zipfile.ZIP_STORED)
        archive.writestr(f"{path.stem}/byteorder", part["order"], zipfile.ZIP_STORED)
        archive.writestr(f"{path.stem}/data/0", storage.tobytes())
        archive.writestr(f"{path.stem}/version", "3\n", zipfile.ZIP_STORED)


def save_whole(path: Path, array: Numbers) -> None:
    strides = tuple(each // array.itemsize for each in array.strides)
    save_tensor(path, array.ravel(), size=array.shape, stride=strides)


def write_folder(
    path: Path,
    nodes: object,
    node_types: list[int],
    edges: tuple[list[int], list[int]] = ([], []),
    edge_types: tuple[int, ...] = (),
    names: tuple[Mapping[int, str], Mapping[int, str]] | None = None,
    save: Save = save_whole,
) -> StarkFolder:
    path.mkdir(exist_ok=True)
    (path / "node_info.pkl").write_bytes(pickle.dumps(nodes))
    for name, array in (("node_types", node_types), ("edge_types", list(edge_types)), ("edge_index", list(edges))):
        save(path / f"{name}.pt", np.array(array, np.int64))
    for name, found in zip(("node_type_dict", "edge_type_dict"), names or (), strict=False):
        (path / f"{name}.pkl").write_bytes(pickle.dumps(found))
    return open_stark_folder(path)


def write_amazon(path: Path, save: Save = save_whole) -> StarkFolder:
    names = {0: "product", 1: "brand"}, {0: "also_buy", 1: "has_brand"}
    nodes = {0: PRODUCT, 1: {"brand_name": np.str_("Skerry")}}
    return write_folder(path, nodes, [0, 1], ([0, 0], [0, 1]), (0, 1), names, save)


def write_mag(path: Path, save: Save = save_whole) -> StarkFolder:
    return write_folder(path, {0: AUTHOR, 1: PAPER}, [0, 3], ([0, 1], [1, 9]), (3, 1), save=save)


def write_prime(path: Path, save: Save = save_whole) -> StarkFolder:
    names = {0: "disease", 1: "gene/protein"}, {0: "associated with"}
    disease = {"id": "MONDO:1", "type": "disease", "name": "li-fraumeni syndrome", "source": "MONDO"}
    return write_folder(path, {0: disease, 1: GENE}, [0, 1], ([0, 1], [1, 0]), (0, 0), names, save)


def complaint(read: Callable[[], object]) -> str:
    with pytest.raises(UsageError) as caught:
        read()
    return str(caught.value)


def test_a_folder_of_amazon_gives_products_with_their_documents_and_brands(tmp_path: Path):
    folder = write_amazon(tmp_path / "amazon")
    assert (folder.name, folder.candidate_types) == ("amazon", ("product",))
    text = """product: Storm Lantern
brand: Skerry
dimensions: 4 x 4 x 9 inches
weight: 1.2 pounds
description: Burns oil.
description: Never blows out.
feature: Brass
review: Bright; Seen for miles.
review: Fine; It burns.
question: Does it leak?
answer: No."""
    attributes = {
        "asin": "0000031852",
        "brand": "Skerry",
        "global_category": "Home and Kitchen",
        "price": 1024.5,
        "rank": "2,758 in Home",
    }
    assert list(folder.entities()) == [
        EntityRecord("0", "product", "Storm Lantern", text, (), attributes),
        EntityRecord("1", "brand", "Skerry", "brand name: Skerry"),
    ]
    assert list(folder.triples()) == [TripleRecord("0", "also_buy", "0"), TripleRecord("0", "has_brand", "1")]


def test_a_folder_without_dictionaries_is_read_with_mags_names(tmp_path: Path):
    folder = write_mag(tmp_path / "mag")
    assert (folder.name, folder.candidate_types) == ("mag", ("paper",))
    text = """paper title: Lamps of the North
abstract: On lamps. And oil.
publication date: 1904-05-01
journal: Sound Letters"""
    attributes = {
        "mag_id": "2133990480",
        "Date": "1904-05-01",
        "Year": 1904.0,
        "CitationCount": 12.0,
        "JournalDisplayName": "Sound Letters",
    }
    assert list(folder.entities()) == [
        EntityRecord("0", "author", "Ada Brandt", "author name: Ada Brandt\npaper count: 3", (), {"PaperCount": 3.0}),
        EntityRecord("1", "paper", "Lamps of the North", text, (), attributes),
    ]


def test_edges_to_absent_nodes_are_left_to_the_builder(tmp_path: Path):
    assert list(write_mag(tmp_path / "mag").triples()) == [
        TripleRecord("0", "author___writes___paper", "1"),
        TripleRecord("1", "paper___cites___paper", "9"),
    ]


def test_a_folder_of_prime_gives_genes_with_aliases_and_details(tmp_path: Path):
    folder = write_prime(tmp_path / "prime")
    assert (folder.name, folder.candidate_types) == ("prime", ("disease", "gene/protein"))
    text = """name: TP53
type: gene/protein
source: NCBI
alias: P53; LFS1
other names: antigen NY-CO-13
summary: Suppresses tumours.
genomic pos: chr: 17; strand: -1
generif: Mutated in half of them.; Guards the genome.
interpro: p53 tumour suppressor family"""
    aliases = ("P53", "LFS1", "antigen NY-CO-13")
    expected = EntityRecord("1", "gene/protein", "TP53", text, aliases, {"id": "7157", "source": "NCBI"})
    assert list(folder.entities())[1] == expected
    assert list(folder.triples())[1] == TripleRecord("1", "associated with", "0")


def test_an_entity_without_a_name_is_called_by_its_type_and_row(tmp_path: Path):
    folder = write_folder(tmp_path, {0: AUTHOR | {"DisplayName": -1}}, [0])
    assert list(folder.entities()) == [EntityRecord("0", "author", "author 0", "paper count: 3", (), {"PaperCount": 3})]


def test_a_document_has_the_25_reviews_of_the_most_votes(tmp_path: Path):
    reviews = [{"summary": f"S{votes}", "reviewText": "T", "vote": str(votes)} for votes in range(40)]
    names = {0: "product"}, {}
    folder = write_folder(tmp_path, {0: {"title": "T", "review": reviews}}, [0], names=names)
    (record,) = folder.entities()
    lines = record.text.splitlines()
    assert lines == ["product: T", *(f"review: S{votes}; T" for votes in range(39, 14, -1))]


def test_triples_come_in_the_files_order_across_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stark_folder, "TRIPLES_AT_ONCE", 2)
    sources, targets, kinds = [4, 3, 2, 1, 0], [0, 1, 2, 3, 4], (0, 1, 0, 1, 1)
    folder = write_folder(tmp_path, {}, [], (sources, targets), kinds)
    expected = zip(sources, (MAG_RELATIONS[kind] for kind in kinds), targets, strict=True)
    assert list(folder.triples()) == [TripleRecord(str(source), name, str(target)) for source, name, target in expected]


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda children: (
        st.lists(children, max_size=4)
        | st.dictionaries(st.text(), children, max_size=4)
        | st.tuples(children, children)
        | st.sets(st.text(), max_size=4)
        | st.frozensets(st.integers(), max_size=4)
    ),
    max_leaves=12,
)
node_infos = st.lists(st.dictionaries(st.text(), plain, max_size=5), max_size=4).map(lambda all: dict(enumerate(all)))


@given(node_infos, st.sampled_from((2, 3, 4, 5)))
def test_any_node_info_of_plain_data_round_trips_in_protocols_2_to_5(
    tmp_path_factory: pytest.TempPathFactory, nodes: dict[int, object], protocol: int
):
    path = tmp_path_factory.getbasetemp() / "plain.pkl"
    path.write_bytes(pickle.dumps(nodes, protocol))
    assert read_plain_pickle(path) == nodes


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(("title", "name", "details", "review", "qa", "price", "feature", "alias", "generif")),
            plain | st.text(st.characters(categories=["Cs", "L", "N"])),
        ),
        max_size=3,
    ),
    st.sampled_from(("product", "paper", "brand", "gene/protein")),
)
def test_any_attributes_become_records_that_a_file_can_hold(
    tmp_path_factory: pytest.TempPathFactory, infos: list[dict[str, object]], type: str
):
    folder = tmp_path_factory.getbasetemp() / "any"
    names = {0: type}, {}
    nodes = {row: info | {"type": type} for row, info in enumerate(infos)}
    records = list(write_folder(folder, nodes, [0] * len(infos), names=names).entities())
    assert [record.id for record in records] == [str(row) for row in range(len(infos))]
    for record in records:
        written = f"{record.name} {record.text} {record.aliases} {record.attributes}".encode()
        assert record.name and written


@pytest.mark.parametrize("protocol", (2, 3, 4, 5))
def test_scalars_and_arrays_of_numpy_become_plain(tmp_path: Path, protocol: int):
    path = tmp_path / "numpy.pkl"
    given = {
        np.int64(3): np.str_("brûlée"),
        "empty": np.str_(""),
        "wide": np.dtype(">f4").type(2.5),
        "truth": np.bool_(True),
        "ordered": OrderedDict(a=1),
        "line": np.array([1, 2]),
        "square": np.array([[1, 2], [3, 4]], order="F"),
        "words": np.array(["a", "bc"]),
        "objects": np.array(["a", None], object),
        "big": np.array([1, 2], ">i4"),
    }
    path.write_bytes(pickle.dumps(given, protocol))
    assert read_plain_pickle(path) == {
        3: "brûlée",
        "empty": "",
        "wide": 2.5,
        "truth": True,
        "ordered": {"a": 1},
        "line": [1, 2],
        "square": [[1, 2], [3, 4]],
        "words": ["a", "bc"],
        "objects": ["a", None],
        "big": [1, 2],
    }


CALLS = {
    "posix.system": Reduced(os.system, "touch ran"),
    "builtins.eval": Reduced(eval, "open('ran', 'w')"),
    "builtins.getattr": Reduced(getattr, "", "upper"),
    "torch.storage._load_from_bytes": Reduced(_load_from_bytes, b""),
}


@pytest.mark.parametrize("asked", CALLS)
@pytest.mark.parametrize("wrap", (lambda call: call, lambda call: {0: {"details": {"alias": [call]}}}))
def test_a_pickle_that_calls_code_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str, wrap: Callable[[object], object]
):
    monkeypatch.chdir(tmp_path)
    folder = write_mag(tmp_path / "mag")
    path = folder.path / "node_info.pkl"
    torch_pickle(path, wrap(CALLS[asked]))
    said = complaint(lambda: list(folder.entities()))
    assert said.startswith(f"{path} asks for {asked.replace('builtins', '__builtin__')}, which is no plain data")
    assert "download the data set" in said
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("asked", CALLS)
def test_a_tensor_whose_header_calls_code_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "edge_types.pt"
    save_tensor(path, np.arange(3), header=CALLS[asked])
    assert f"asks for {asked.replace('builtins', '__builtin__')}" in complaint(lambda: read_tensor(path))
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "name", ("getattr", "eval", "exec", "__import__", "open", "compile", "complex", "type", "str", "set.__init__")
)
@pytest.mark.parametrize("module", ("builtins", "__builtin__"))
def test_a_pickle_reaches_no_builtin_but_collections(tmp_path: Path, module: str, name: str):
    path = tmp_path / "names.pkl"
    path.write_bytes(b"\x80\x04" + b"".join(b"\x8c%c%b" % (len(s), s.encode()) for s in (module, name)) + b"\x93.")
    assert f"asks for {module}.{name}, which" in complaint(lambda: read_plain_pickle(path))


@pytest.mark.parametrize("state", ({"function": None}, (None, {"function": None}), (None, {"__defaults__": (1,)})))
def test_a_pickle_cannot_change_what_answers_for_numpy(tmp_path: Path, state: object):
    path = tmp_path / "state.pkl"
    path.write_bytes(b"\x80\x02c_codecs\nencode\n" + pickle.dumps(state, 2)[2:-1] + b"b.")
    assert "cannot be read" in complaint(lambda: read_plain_pickle(path))
    path.write_bytes(pickle.dumps(b"\xff", 2))
    assert read_plain_pickle(path) == b"\xff"


def test_an_array_cannot_pass_bytes_off_as_objects(tmp_path: Path):
    path = tmp_path / "pointers.pkl"
    harmless = pickle.dumps(np.array([7], np.int64), 2)
    pointers = harmless.replace(b"X\x02\x00\x00\x00i8", b"X\x02\x00\x00\x00O8")
    assert pointers != harmless
    path.write_bytes(pointers)
    assert "cannot be read" in complaint(lambda: read_plain_pickle(path))


def cycle() -> dict[str, object]:
    node: dict[str, object] = {"title": "T"}
    node["alias"] = node["details"] = node
    return node


def nested(depth: int) -> list[object]:
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


def laughs() -> list[object]:
    value: list[object] = []
    for _ in range(40):
        value = [value, value]
    return value


@pytest.mark.parametrize(
    ("info", "reason"),
    [
        (cycle, "attributes nested more than 64 deep"),
        (lambda: {"alias": nested(100_000)}, "attributes nested more than 64 deep"),
        (lambda: {"alias": laughs()}, "more than 1,000,000 values in an attribute"),
    ],
)
def test_endless_attributes_are_refused(tmp_path: Path, info: Callable[[], object], reason: str):
    class Flat(pickle._Pickler):
        """Writes a list in a list without recursion, as only a hostile file would be."""

        def save(self, obj: object, save_persistent_id: bool = True) -> None:
            depth = 0
            while isinstance(obj, list) and len(obj) == 1:
                obj, depth = obj[0], depth + 1
            self.write(b"]" * depth)
            super().save(obj, save_persistent_id)
            self.write(b"a" * depth)

    folder = write_folder(tmp_path, {}, [0], names=({0: "other"}, {}))
    with (tmp_path / "node_info.pkl").open("wb") as file:
        Flat(file, 2).dump({0: info()})
    said = complaint(lambda: list(folder.entities()))
    assert said.startswith(f"{tmp_path / 'node_info.pkl'} cannot be read at node 0 ({reason})")


def test_a_pickle_that_is_cut_short_anywhere_is_refused(tmp_path: Path):
    path = tmp_path / "node_info.pkl"
    whole = pickle.dumps({0: PRODUCT, 1: GENE})
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        assert f"{path} cannot be read" in complaint(lambda: read_plain_pickle(path))


def test_a_tensor_that_is_cut_short_anywhere_is_refused(tmp_path: Path):
    path = tmp_path / "edge_types.pt"
    save_tensor(path, np.arange(20))
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        assert "cut short" in complaint(lambda: read_tensor(path))


def test_a_tensor_with_a_changed_byte_is_refused(tmp_path: Path):
    path = tmp_path / "edge_types.pt"
    save_tensor(path, np.full(20, 0x0102030405060708))
    path.write_bytes(path.read_bytes().replace(b"\x08\x07", b"\x09\x07", 1))
    assert "Bad CRC-32" in complaint(lambda: read_tensor(path))


def test_a_tensor_of_a_torch_without_zip_files_is_refused(tmp_path: Path):
    path = tmp_path / "edge_types.pt"
    path.write_bytes(pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1001, 2))
    assert "older than torch 1.6" in complaint(lambda: read_tensor(path))


def test_views_of_a_storage_are_read_by_their_offset_size_and_stride(tmp_path: Path):
    path = tmp_path / "view.pt"
    save_tensor(path, np.arange(12), size=(2, 3), stride=(1, 4), offset=1)
    assert read_tensor(path).tolist() == [[1, 5, 9], [2, 6, 10]]


@pytest.mark.parametrize(("kind", "dtype", "order"), [("IntStorage", "<i4", "little"), ("LongStorage", ">i8", "big")])
def test_other_widths_and_byte_orders_become_64_bits(tmp_path: Path, kind: str, dtype: str, order: str):
    path = tmp_path / "wide.pt"
    save_tensor(path, np.array([1, -2, 3], dtype), kind=kind, order=order)
    found = read_tensor(path)
    assert (found.dtype, found.tolist()) == (np.dtype(np.int64), [1, -2, 3])


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"items": 4}, "has 24 bytes and not 4 numbers"),
        ({"items": 2, "size": (2,)}, "has 24 bytes where 16 are expected"),
        ({"items": 10**15}, "has 24 bytes and not"),
        ({"items": -1}, "has 24 bytes where -8 are expected"),
        ({"size": (4,)}, "a tensor of 4 numbers in a storage of 3"),
        ({"size": (10**12,), "stride": (0,)}, "a tensor of 1,000,000,000,000 numbers in a storage of 3"),
        ({"offset": 1}, "cannot be read"),
        ({"offset": -1}, "cannot be read"),
        ({"stride": (2,)}, "cannot be read"),
        ({"stride": (-1,)}, "cannot be read"),
        ({"size": (-3,)}, "cannot be read"),
        ({"size": ("3",)}, "cannot be read"),
        ({"stride": (1, 1)}, "cannot be read"),
        ({"order": "middle"}, "cannot be read"),
        ({"compression": zipfile.ZIP_DEFLATED}, "is compressed, which torch never does"),
        ({"kind": "FloatStorage"}, "asks for torch.FloatStorage, which is no plain data"),
        ({"header": [1]}, "no tensor in it"),
        ({"header": "x" * 2**17}, "bytes where 65,536 are expected"),
    ],
)
def test_a_tensor_whose_parts_disagree_is_refused(tmp_path: Path, parts: dict[str, Any], reason: str):
    path = tmp_path / "edge_types.pt"
    save_tensor(path, np.arange(3), **parts)
    assert reason in complaint(lambda: read_tensor(path))


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path):
    path = tmp_path / "edge_types.pt"
    save_tensor(path, np.zeros(2**20, np.int64), compression=zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 2**14
    assert "edge_types/data/0 is compressed" in complaint(lambda: read_tensor(path))


def test_a_tensor_is_mapped_and_not_copied(tmp_path: Path):
    path = tmp_path / "edge_types.pt"
    save_tensor(path, np.arange(30), size=(3, 10), stride=(10, 1))
    base = read_tensor(path).base
    assert isinstance(base, np.memmap) and not base.flags.writeable


def test_files_of_different_lengths_are_refused(tmp_path: Path):
    folder = write_folder(tmp_path, {0: AUTHOR}, [0, 0], ([0, 1], [1, 0]), (3,))
    assert "holds 1 nodes, and node_types.pt the types of 2" in complaint(lambda: list(folder.entities()))
    assert "[2, 2], and edge_types.pt [1]; they must be [2, E] and [E]" in complaint(lambda: list(folder.triples()))
    save_whole(tmp_path / "edge_index.pt", np.zeros((3, 1), np.int64))
    assert "has the shape [3, 1]" in complaint(lambda: list(folder.triples()))
    save_whole(tmp_path / "edge_types.pt", np.zeros((1, 1), np.int64))
    assert "it must have one dimension" in complaint(lambda: list(folder.triples()))


def test_types_without_a_name_are_refused(tmp_path: Path):
    folder = write_folder(tmp_path, {0: AUTHOR}, [4], ([0], [0]), (-1,))
    assert "node_types.pt has the number 4, which has no name" in complaint(lambda: list(folder.entities()))
    assert "edge_types.pt has the number -1, which has no name" in complaint(lambda: list(folder.triples()))


@pytest.mark.parametrize(
    ("nodes", "reason"), [([AUTHOR], "holds no dictionary"), ({7: AUTHOR}, "has no attributes of node 0")]
)
def test_a_node_info_that_is_none_is_refused(tmp_path: Path, nodes: object, reason: str):
    folder = write_folder(tmp_path, nodes, [0])
    assert reason in complaint(lambda: list(folder.entities()))


def test_dictionaries_of_anything_but_numbers_and_names_are_refused(tmp_path: Path):
    names: Any = {0: "disease"}, {"0": "causes"}
    said = complaint(lambda: write_folder(tmp_path, {}, [], names=names))
    assert said.startswith(f"{tmp_path / 'edge_type_dict.pkl'} is no dictionary from numbers to names")


def test_an_incomplete_folder_names_what_it_lacks(tmp_path: Path):
    folder = write_amazon(tmp_path / "amazon").path
    assert is_stark_folder(folder)
    (folder / "edge_type_dict.pkl").unlink()
    assert f"{folder} has no edge_type_dict.pkl" in complaint(lambda: open_stark_folder(folder))
    (folder / "node_type_dict.pkl").unlink()
    amazon = open_stark_folder(folder)
    assert "and its nodes are not MAG's" in complaint(lambda: list(amazon.entities()))
    (folder / "node_types.pt").unlink()
    assert not is_stark_folder(folder)
    assert "has no node_types.pt; AMAZON's folder is" in complaint(lambda: open_stark_folder(folder))


def test_a_changed_file_changes_the_fingerprint(tmp_path: Path):
    folder = write_amazon(tmp_path)
    before = folder.fingerprint
    assert open_stark_folder(tmp_path).fingerprint == before
    os.utime(tmp_path / "edge_type_dict.pkl", ns=(0, 0))
    assert folder.fingerprint != before


def test_a_file_that_is_gone_or_a_folder_is_refused(tmp_path: Path):
    for read in (read_tensor, read_plain_pickle):
        assert "check its name and permissions" in complaint(lambda read=read: read(tmp_path / "gone.pt"))
        assert "check its name and permissions" in complaint(lambda read=read: read(tmp_path))


@pytest.mark.models
@pytest.mark.skipif(find_spec("torch") is None, reason="needs torch")
@pytest.mark.parametrize("write", (write_amazon, write_mag, write_prime))
def test_what_torch_itself_saves_is_read_equal(tmp_path: Path, write: Callable[[Path, Save], StarkFolder]):
    import torch

    def save(path: Path, array: Numbers) -> None:
        torch.save(torch.from_numpy(array), path)

    theirs, ours = write(tmp_path / "torch", save), write(tmp_path / "hand", save_whole)
    assert list(theirs.entities()) == list(ours.entities())
    assert list(theirs.triples()) == list(ours.triples())
    assert (theirs.types, theirs.relations) == (ours.types, ours.relations)


@pytest.mark.models
@pytest.mark.skipif(find_spec("torch") is None, reason="needs torch")
def test_views_that_torch_saves_are_read_equal(tmp_path: Path):
    import torch

    path, whole = tmp_path / "view.pt", torch.arange(30).reshape(3, 10)
    tensors = (whole[:2], whole[2], whole.t(), whole[:, 3:7], whole[:, :0], torch.tensor([], dtype=torch.long))
    for tensor in (*tensors, whole.to(torch.int32)):
        torch.save(tensor, path)
        assert read_tensor(path).tolist() == tensor.tolist()
    torch.save(whole[:2], path, _use_new_zipfile_serialization=False)
    assert "older than torch 1.6" in complaint(lambda: read_tensor(path))
    for other in (whole.float(), {"a": whole}, torch.nn.Linear(1, 1)):
        torch.save(other, path)
        assert str(path) in complaint(lambda: read_tensor(path))


def test_the_names_of_mag_stand_in_the_official_order():
    assert MAG_TYPES == ("author", "institution", "field_of_study", "paper")
    assert MAG_RELATIONS[3] == "author___writes___paper"
