# /// script
# requires-python = ">=3.11"
# dependencies = ["xllamacpp==2026.10.11549"]
# ///
"""Serve one GGUF file over llama.cpp's OpenAI-compatible API on loopback, until SIGTERM or SIGINT."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

LOOPBACK = "127.0.0.1"
POLL_SECONDS = 0.5
# A request whose client has gone is dropped only between batches; llama.cpp's own 2048 are over a minute on one thread.
BATCH = 256


def main() -> int:
    """Start the server, wait until it answers, print its address, and keep it alive."""
    arguments = _arguments()
    if not arguments.model.is_file():
        print(f"serve: no file {arguments.model}; fetch it with deploy/models/fetch_qwen.sh", file=sys.stderr)
        return 2
    # Blocked before the server's threads exist, so that the signal reaches sigwait below and no thread of theirs.
    stops = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, stops)
    try:
        server = _start(arguments)
    except RuntimeError as err:
        print(f"serve: {err} (port {arguments.port} in use, or {arguments.model} no GGUF; see above)", file=sys.stderr)
        return 1
    address = server.listening_address
    try:
        _wait_until_ready(address, arguments.name, arguments.start_seconds)
    except TimeoutError as err:
        print(f"serve: {err}", file=sys.stderr)
        return 1
    print(f"serve: {arguments.name} answers at {address}/v1", flush=True)
    signal.sigwait(stops)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="GGUF file")
    parser.add_argument("--name", help="model name in the API (default: the file's name without .gguf)")
    parser.add_argument("--port", type=int, default=8081, help="port on 127.0.0.1 (default: 8081)")
    parser.add_argument("--context", type=int, default=8192, help="tokens of context (default: 8192)")
    parser.add_argument("--threads", type=int, default=1, help="CPU threads (default: 1)")
    parser.add_argument("--jinja", action="store_true", help="use the model's own chat template; tool calls need it")
    parser.add_argument("--prompt-cache-mib", type=int, default=512, help="memory for old prompts (default: 512)")
    parser.add_argument("--start-seconds", type=float, default=300, help="longest wait for the model (default: 300)")
    arguments = parser.parse_args()
    arguments.name = arguments.name or arguments.model.stem
    return arguments


def _start(arguments: argparse.Namespace) -> Any:
    """Return the running server; it stops when the last reference to it goes."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(arguments.model)
    params.model_alias = {arguments.name}
    params.hostnames = [LOOPBACK]
    params.port = arguments.port
    params.n_ctx = arguments.context
    params.n_parallel = 1  # one slot owns the whole context; further requests wait their turn
    params.n_batch = params.n_ubatch = BATCH
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = arguments.threads
    params.cpuparams_batch.n_threads = arguments.threads
    params.cache_ram_mib = arguments.prompt_cache_mib
    # On the Jinja path a schema's answer may start with a Markdown fence: it costs tokens, shows in an answer that is
    # cut short, and shifts logprobs against the text. The built-in templates have none, but cannot call tools.
    params.use_jinja = arguments.jinja
    params.cors_origins = f"http://{LOOPBACK}:{arguments.port}"  # the default lets any page in a browser read answers
    params.cors_credentials = False
    params.endpoint_metrics = True
    params.ui = False
    params.offline = True
    return xllamacpp.Server(params)


def _wait_until_ready(address: str, name: str, seconds: float) -> None:
    """Wait for /health, then for one generated token: health alone does not show that the model answers.

    Raises:
        TimeoutError: the server was not ready in time.
    """
    deadline = time.monotonic() + seconds
    body = json.dumps({"model": name, "messages": [{"role": "user", "content": "Hi"}], "max_tokens": 1}).encode()
    chat = urllib.request.Request(
        f"{address}/v1/chat/completions", data=body, headers={"Content-Type": "application/json"}
    )
    for question in (f"{address}/health", chat):
        while not _answers(question, deadline - time.monotonic()):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{address} was not ready after {seconds:.0f} s; see the log above")
            time.sleep(POLL_SECONDS)


def _answers(question: str | urllib.request.Request, seconds: float) -> bool:
    try:
        with urllib.request.urlopen(question, timeout=max(seconds, POLL_SECONDS)) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, TimeoutError, ConnectionError):
        return False


if __name__ == "__main__":
    raise SystemExit(main())
