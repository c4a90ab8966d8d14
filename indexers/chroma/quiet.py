"""Chroma's settings without what lies about in the current folder."""

from typing import ClassVar

from chromadb.config import Settings
from pydantic_settings import SettingsConfigDict


class QuietSettings(Settings):
    """Settings from no `.env`: one of the current folder could name a collector of spans, or classes to import."""

    model_config: ClassVar[SettingsConfigDict] = SettingsConfigDict(env_file=None, extra="ignore")
