"""Settings: flag > environment (HELIOGRAPH_…) > heliograph.toml > default. Read in app.py only."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from heliograph.addresses import check_base_url
from heliograph.errors import UnknownName, UnsafeSettings, UsageError
from heliograph.storage import plain_file
from heliograph.types import MODEL_ROLES, CitationPolicy, FormChoice, ModelRole

FILE_NAME = "heliograph.toml"
PREFIX = "HELIOGRAPH_"
ENDPOINTS = ("llm", *MODEL_ROLES, "embed")
"""Settings that name a server: `llm` serves every role that has no server of its own, `embed` makes vectors."""
NO_READER = "none"
SMALL_CONTEXT = 8_192
"""Tokens of context up to which a model gets the short form of a prompt that has one, unless it is set otherwise."""
EvidenceRerankerName = Literal["late-interaction", "embedding"]
MemoryReach = Literal["off", "conversation", "user"]

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "demo": {"sources": ("demo",)},
    "fast": {"rounds": 1, "pages_per_round": 4},
    "full": {"graph": "full"},
    "live": {"sources": ("wikipedia", "duckduckgo")},
}


class Endpoint(BaseModel):
    """An OpenAI-compatible server for one role.

    `structured` says how replies are constrained: `auto` probes the server, `none` parses and repairs.
    `context_tokens` is the model's whole context, prompt and reply; `seconds` the deadline of one call; `at_once` how
    many calls may run side by side; `vision` whether it may be shown the bytes of cited pictures. `instructions` says
    how much a model is told: `auto` is short where `context_tokens` is set to SMALL_CONTEXT or fewer, since a model
    with a small context follows few rules.
    """

    model_config = ConfigDict(extra="forbid")

    base_url: str = ""
    model: str = ""
    api_key: SecretStr = SecretStr("")
    structured: Literal["auto", "json_schema", "structured_outputs", "none"] = "auto"
    context_tokens: Annotated[int, Field(ge=1024)] = 8192
    seconds: Annotated[float, Field(gt=0)] = 120.0
    at_once: Annotated[int, Field(ge=1, le=256)] = 8
    vision: bool = False
    instructions: Literal["auto", "short", "long"] = "auto"

    @model_validator(mode="after")
    def _instruct(self) -> Self:
        """Decide what `auto` means once, so that a manifest holds it: a context that nobody set says nothing."""
        if self.instructions == "auto":
            small = "context_tokens" in self.model_fields_set and self.context_tokens <= SMALL_CONTEXT
            self.instructions = "short" if small else "long"
            self.model_fields_set.discard("instructions")  # nobody set it
        return self

    @property
    def is_small(self) -> bool:
        """Whether the model gets short instructions, and whether code decides what it can in place of its vote."""
        return self.instructions == "short"


class Clip(BaseModel):
    """An image model of open_clip: an architecture by name, weights by tag or as a safetensors file."""

    model_config = ConfigDict(extra="forbid")

    model: str = ""
    pretrained: str = ""


class Settings(BaseSettings):
    """Everything that can be set; the paper's constants are the named defaults.

    `retrieve_k`: OMG-QA section 3 leaves k open; 20 pieces per modality are ours. The final evidence takes
    `evidence_share` of `context_tokens` of the model that answers, and is of `evidence_k` pieces at most; without a
    language model the answer is made of its first `leaf_k` leaves. `form` is that of the answer; `auto` leaves it to
    the plan. `document_reranker` and `relevance` say whether a language model chooses pages and grades evidence: each
    costs a call per need and round.
    `rounds`: OMG-QA section 3, three at most. `graph` is the tier of the table-text graph (HELIOS), `graph_pages` how
    many pages a round of the full tier reads because rows link to them (its beam width b), `graph_model` the folder of
    a late-interaction model in place of the shipped edge retriever. `skb_from_pages` has questions planned over a
    knowledge base that is made of the pages read (STaRK). `evidence_reranker`: by embeddings alone, or with late
    interaction of the shipped retriever around them, whatever `graph_model` is. `reader` is the folder of what takes
    answers from the evidence where no language model does, in place of the reader that ships; `table_parser` that of
    the parser that says which calculation over a table a question asks for, and `follow_up_reader` that of what says
    what a follow-up leaves to its conversation; `none` turns any of them off. `spelling` reads words of a question that
    no source knows as those that sources have in their place, where no language model plans.
    `wiki` is a host, or the address of a script path such as http://127.0.0.1:8765/w/;
    `wiki_at_once` counts requests side by side and stays 1 for Wikimedia's hosts; `source_seconds` is the deadline of
    one request to a source, waits included; `fallback` an archive that is asked when every other source fails;
    `otlp_endpoint` a collector that hears of runs (`heliograph.collectors`). `chroma_url` is a Chroma server that keeps
    the vectors in place of the home folder, and `chroma_token` what it is shown. `memory` says which past questions
    propose pages and queries for a new one: none, those of its conversation, or all of its user, for `memory_days`
    days. `serve_key` is what programs must show to a server of ours. No run keeps `serve_key` or `chroma_token`.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_nested_delimiter="__", extra="forbid", frozen=True)
    file: ClassVar[Path | None] = None

    home: Path = Field(default_factory=lambda: platformdirs.user_data_path("heliograph"))
    sources: tuple[str, ...] = ()
    rounds: Annotated[int, Field(ge=1, le=3)] = 3
    graph: Literal["off", "light", "full"] = "off"
    graph_pages: Annotated[int, Field(ge=0, le=100)] = 10
    graph_model: str = ""
    skb_from_pages: bool = False
    citations: CitationPolicy = "repair"
    indexing: Literal["text-only", "textual-visual", "modality-specific"] = "modality-specific"
    text_retriever: Literal["dense", "sparse", "hybrid", "generative", "hybrid-generative"] = "hybrid"
    spelling: bool = True
    evidence_reranker: EvidenceRerankerName = "late-interaction"
    reader: str = ""
    table_parser: str = ""
    follow_up_reader: str = ""
    pages_per_round: Annotated[int, Field(ge=1, le=100)] = 10
    retrieve_k: Annotated[int, Field(ge=1, le=200)] = 20
    form: FormChoice = "auto"
    document_reranker: Literal["title", "model"] = "title"
    relevance: Literal["embedding", "model"] = "embedding"
    evidence_k: Annotated[int, Field(ge=1, le=200)] = 200
    evidence_share: Annotated[float, Field(ge=0.05, le=0.9)] = 0.5
    leaf_k: Annotated[int, Field(ge=1, le=200)] = 8
    max_seconds: Annotated[float, Field(gt=0)] | None = None
    max_pages: Annotated[int, Field(ge=1)] | None = None
    max_calls: Annotated[int, Field(ge=1)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    memory: MemoryReach = "user"
    memory_days: Annotated[float, Field(gt=0)] = 90.0
    store_bytes: Annotated[int, Field(ge=1_000_000)] = 2_000_000_000
    contact: str = ""
    wiki: str = "en.wikipedia.org"
    wiki_at_once: Annotated[int, Field(ge=1, le=32)] = 1
    source_seconds: Annotated[float, Field(gt=0)] = 30.0
    duckduckgo_url: str = ""
    fallback: str = ""
    otlp_endpoint: str = ""
    chroma_url: str = ""
    chroma_token: SecretStr = SecretStr("")
    llm: Endpoint = Endpoint()
    rewrite: Endpoint = Endpoint()
    rerank: Endpoint = Endpoint()
    reflect: Endpoint = Endpoint()
    answer: Endpoint = Endpoint()
    judge: Endpoint = Endpoint()
    refine: Endpoint = Endpoint()
    embed: Endpoint = Endpoint()
    clip: Clip = Clip()
    serve_key: SecretStr = SecretStr("")

    def endpoint(self, role: ModelRole) -> Endpoint | None:
        """Return the server of a role, or the one of all roles; None where neither is set."""
        own: Endpoint = getattr(self, role)
        chosen = own if own.base_url else self.llm
        return chosen if chosen.base_url else None

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the signature is the library's
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Put the file under the environment and the environment under the flags."""
        file = TomlConfigSettingsSource(settings_cls, toml_file=cls.file)
        return init_settings, env_settings, file


def load_settings(flags: Mapping[str, Any], preset: str | None = None, config: Path | None = None) -> Settings:
    """Read the settings of one command.

    Raises:
        UsageError: an unknown or unusable setting, named with where it was set.
        UnsafeSettings: a heliograph.toml of the current folder that names a server or a key.
    """
    _refuse_unknown_variables()
    file = _found_file() if config is None else _named_file(config)

    class Layered(Settings):
        pass

    Layered.file = file
    given = {**preset_flags(preset), **{name: value for name, value in flags.items() if value not in (None, ())}}
    try:
        settings = Layered(**given)
    except ValidationError as err:
        raise UsageError(_explain(err, file)) from err
    except SettingsError as err:  # a list or a table is JSON in the environment
        raise UsageError(
            f"{err}; in the environment lists are written as JSON, HELIOGRAPH_SOURCES='[\"demo\"]'"
        ) from err
    refuse_unusable(settings)
    return settings


def preset_flags(preset: str | None) -> Mapping[str, Any]:
    """Return the flags that a preset stands for."""
    if preset is None:
        return {}
    if preset not in PRESETS:
        raise UnknownName(f"unknown preset {preset!r}; known are {', '.join(PRESETS)}")
    return PRESETS[preset]


def refuse_unusable(settings: Settings) -> None:
    """Fail closed on servers that are half named: nobody believes them active."""
    if settings.chroma_url:
        check_base_url(settings.chroma_url, "chroma_url", "chroma_token", "http://127.0.0.1:8001")
    token = settings.chroma_token.get_secret_value()
    if not _is_sendable(token):
        raise UsageError("chroma_token holds signs that no token has; copy it anew")
    key = settings.serve_key.get_secret_value()
    if not _is_sendable(key) or key != key.strip():
        raise UsageError(
            "serve_key holds signs that no header takes, and nobody could show it; choose letters and digits"
        )
    for name in ENDPOINTS:
        named: Endpoint = getattr(settings, name)
        if named.base_url:
            check_base_url(named.base_url)
        if not _is_sendable(named.api_key.get_secret_value()):
            raise UsageError(f"{name}.api_key holds signs that no key has; copy it anew")
    for role in ("llm", *MODEL_ROLES):
        endpoint: Endpoint = getattr(settings, role)
        lacking = next((part for part in ("base_url", "model") if not getattr(endpoint, part)), None)
        if lacking and (endpoint.base_url or endpoint.model):
            raise UsageError(
                f"{role}.{lacking} is not set: a language model needs the address of its server and its name; "
                f"set HELIOGRAPH_{role.upper()}__{lacking.upper()}"
            )


def _is_sendable(key: str) -> bool:
    """Tell whether a header takes a key; errors of the HTTP client may quote one that it does not."""
    return key.isascii() and key.isprintable()


def _refuse_unknown_variables() -> None:
    """Refuse HELIOGRAPH_ROUND and its like: pydantic-settings looks for the variables it knows and sees no others."""
    for name in sorted(os.environ):
        setting = name.removeprefix(PREFIX).partition("__")[0].lower()
        if name.startswith(PREFIX) and setting not in Settings.model_fields:
            raise UsageError(f"unknown setting {name} in the environment; heliograph config show lists all")


def _named_file(path: Path) -> Path:
    _parsed(path)
    return path


def _found_file() -> Path | None:
    path = Path(FILE_NAME)
    if not path.is_file():
        return None
    content = _parsed(path)
    for name in ("otlp_endpoint", "chroma_url"):
        if content.get(name):
            raise UnsafeSettings(
                f"{path} of the current folder sets {name} and would send your questions and pages to "
                f"{content[name]}; if you trust it, name it: --config {FILE_NAME}"
            )
    for role in ENDPOINTS:
        section = content.get(role)
        if isinstance(section, dict) and section.keys() & {"base_url", "api_key"}:
            server = section.get("base_url", "another server")
            raise UnsafeSettings(
                f"{path} of the current folder sets [{role}] and could send your key to {server}; "
                f"if you trust it, name it: --config {FILE_NAME}"
            )
    return path


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(plain_file(path).read_text(encoding="utf8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as err:
        raise UsageError(f"{path} is not valid TOML: {err}; correct it or name another with --config") from err
    except OSError as err:
        raise UsageError(f"cannot read {path}: {err.strerror}; name a readable file with --config") from err


def _explain(err: ValidationError, file: Path | None) -> str:
    first = err.errors()[0]
    name = ".".join(str(part) for part in first["loc"])
    where = f"a flag, HELIOGRAPH_… or {file}" if file else "a flag or HELIOGRAPH_…"
    if first["type"] == "extra_forbidden":
        return f"unknown setting {name!r} in {where}; heliograph config show lists all"
    return f"setting {name!r} ({where}): {first['msg']}, got {first['input']!r}"
