"""Write the weights and tokenizer of one GGUF file as a Hugging Face folder in bfloat16, which vLLM serves."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path


def main() -> int:
    """Convert into a folder beside the target, then rename it: a folder with the final name is whole."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gguf", type=Path, help="GGUF file")
    parser.add_argument("folder", type=Path, help="folder to write")
    arguments = parser.parse_args()
    if not arguments.gguf.is_file():
        print(f"convert: no file {arguments.gguf}; fetch it with deploy/models/fetch_qwen.sh", file=sys.stderr)
        return 2
    if arguments.folder.exists():
        print(f"convert: {arguments.folder} exists; delete it to convert again", file=sys.stderr)
        return 2
    partial = arguments.folder.with_name(f".{arguments.folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    _convert(arguments.gguf, partial)
    partial.rename(arguments.folder)
    print(arguments.folder)
    return 0


def _convert(gguf: Path, folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    model = AutoModelForCausalLM.from_pretrained(
        gguf.parent, gguf_file=gguf.name, quantization_config=GgufConfig(dequantize=True), dtype=torch.bfloat16
    )
    # The weights are plain now; the marks of the quantised file would make save_pretrained refuse.
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.hf_quantizer = None
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name).save_pretrained(folder)


if __name__ == "__main__":
    raise SystemExit(main())
