"""Which OpenTelemetry collector hears of runs, if any: a setting, or OpenTelemetry's own variables."""

from collections.abc import Mapping

from heliograph.addresses import check_base_url

PATH = "/v1/traces"
"""Where a collector takes traces over HTTP (OTLP specification, "OTLP/HTTP Request")."""
BASE = "OTEL_EXPORTER_OTLP_ENDPOINT"
TRACES = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"


def traces_address(setting: str, environment: Mapping[str, str]) -> str:
    """Return where traces are sent over HTTP; the empty string where they are not.

    The setting comes before the variables. A base address gets the path of traces, which the variable for traces alone
    holds already. OTEL_SDK_DISABLED=true and OTEL_TRACES_EXPORTER=none turn the export off, whatever else is set.

    Raises:
        UsageError: the address is none, or holds a password.
    """
    if environment.get("OTEL_SDK_DISABLED", "").strip().casefold() == "true":
        return ""
    if environment.get("OTEL_TRACES_EXPORTER", "").strip().casefold() == "none":
        return ""
    whole = "" if setting else environment.get(TRACES, "").strip()
    base = setting or environment.get(BASE, "").strip()
    if whole or base:
        check_base_url(whole or base)
    return whole or (f"{base.rstrip('/').removesuffix(PATH)}{PATH}" if base else "")
