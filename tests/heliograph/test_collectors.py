"""Where traces are sent: nowhere, unless a setting or OpenTelemetry's own variables say so."""

import pytest

from heliograph.collectors import traces_address
from heliograph.errors import UsageError

BASE = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}


@pytest.mark.parametrize(
    ("setting", "environment", "address"),
    [
        ("", {}, ""),
        ("", BASE, "http://127.0.0.1:4318/v1/traces"),
        ("", {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c/otlp/"}, "http://c/otlp/v1/traces"),
        ("", {**BASE, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://t/x"}, "http://t/x"),
        (
            "http://127.0.0.1:6006",
            {**BASE, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "u"},
            "http://127.0.0.1:6006/v1/traces",
        ),
        ("http://127.0.0.1:6006/v1/traces", {}, "http://127.0.0.1:6006/v1/traces"),
        ("http://127.0.0.1:6006", {"OTEL_SDK_DISABLED": "true"}, ""),
        ("", {**BASE, "OTEL_TRACES_EXPORTER": "none"}, ""),
        ("", {"OTEL_EXPORTER_OTLP_ENDPOINT": " "}, ""),
    ],
)
def test_the_address_of_traces(setting: str, environment: dict[str, str], address: str) -> None:
    assert traces_address(setting, environment) == address


@pytest.mark.parametrize("address", ["ftp://c", "collector:4318", "http://u:pw@c"])
def test_an_address_that_cannot_be_used_is_refused(address: str) -> None:
    with pytest.raises(UsageError):
        traces_address("", {"OTEL_EXPORTER_OTLP_ENDPOINT": address})
