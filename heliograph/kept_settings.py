"""Settings as a run keeps them: written without keys, read again for its replay and for going on."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from heliograph.config import ENDPOINTS, EvidenceRerankerName, MemoryReach, Settings
from heliograph.errors import UsageError
from heliograph.types import FormChoice

SERVE_KEY, CHROMA_URL, CHROMA_TOKEN = "serve_key", "chroma_url", "chroma_token"
BESIDE = frozenset({"home", "otlp_endpoint", CHROMA_URL})
"""Settings that change nothing of what a run does: where its record and its vectors are, and who hears of it."""
GONE = frozenset({"table_reader"})
"""Settings of earlier versions that nothing depends on any more."""
SHORTEST_SECRET = 8
"""Characters from which on a key is masked."""


def snapshot(settings: Settings) -> dict[str, Any]:
    """Return the settings as JSON values without secrets, for the manifest of a run; how we serve is no part of one."""
    keys: dict[str, set[str] | bool] = {name: {"api_key"} for name in ENDPOINTS}
    return settings.model_dump(mode="json", exclude={**keys, SERVE_KEY: True, CHROMA_TOKEN: True})


def secrets(settings: Settings) -> tuple[str, ...]:
    """Return every key of the settings, so that the trace can mask them.

    Local servers are given words such as `none` or `local` for keys: masking those would mask the text of pages.
    """
    keys = (
        *(getattr(settings, name).api_key.get_secret_value() for name in ENDPOINTS),
        settings.serve_key.get_secret_value(),
        settings.chroma_token.get_secret_value(),
    )
    return tuple(dict.fromkeys(key for key in keys if len(key) >= SHORTEST_SECRET))


class _Recorded(Settings):
    """Settings as they stand in a manifest: nothing of the present environment gets into them.

    Where a manifest is older than a setting, the setting is what that version did: a `leaf_k` of 200 limits nothing,
    as `evidence_k` is no more.
    """

    form: FormChoice = "short"
    document_reranker: Literal["title", "model"] = "model"
    relevance: Literal["embedding", "model"] = "model"
    evidence_reranker: EvidenceRerankerName = "embedding"
    reader: str = "none"
    table_parser: str = "none"
    evidence_share: float = 0.9
    leaf_k: int = 200
    memory: MemoryReach = "off"
    spelling: bool = False

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - the signature is the library's
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)


def recorded_settings(recorded: Mapping[str, Any]) -> Settings:
    """Read the settings of a manifest; they hold no keys.

    Raises:
        UsageError: the run was begun with settings that this version does not know.
    """
    try:
        known = {name: value for name, value in recorded.items() if name not in GONE}
        return _Recorded(**{name: _instructed(name, value) for name, value in known.items()})
    except ValidationError as err:
        first = err.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise UsageError(
            f"the run was begun by another version: its setting {name!r} cannot be used ({first['msg']}); ask again"
        ) from err


def _instructed(name: str, value: Any) -> Any:
    """Return a setting of a manifest; a server in one that knew no short instructions was given long ones."""
    return {"instructions": "long", **value} if name in ENDPOINTS and isinstance(value, Mapping) else value


def resumed(recorded: Mapping[str, Any], present: Settings) -> Settings:
    """Return the settings that a run began with, in the home folder, with its vectors and with the keys of now.

    Raises:
        UsageError: the run was begun with settings that this version does not know.
    """
    begun = recorded_settings({**recorded, "home": present.home})
    keyed = {}
    for name in ENDPOINTS:
        then, now = getattr(begun, name), getattr(present, name)
        key = now.api_key if then.base_url == now.base_url else SecretStr("")
        keyed[name] = then.model_copy(update={"api_key": key})
    kept = {name: getattr(present, name) for name in (SERVE_KEY, CHROMA_URL, CHROMA_TOKEN)}
    return begun.model_copy(update={**keyed, **kept})
