"""Models that are made here of random weights and a dozen words, how training kills one, what runs without PyTorch."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from indexers.models.pytorch import loaded_torch

MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WIDTH = 32


def save_tiny_bert(folder: Path, words: Sequence[str], longest: int = 40, layers: int = 1) -> Path:
    """Write a BERT that knows `words`, in Hugging Face's form; its tokenizer cuts at 32 tokens."""
    loaded_torch().manual_seed(5)
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    known = {word: place for place, word in enumerate((*MARKS, *words))}
    split = Tokenizer(models.WordLevel(known, unk_token="[UNK]"))
    split.pre_tokenizer = pre_tokenizers.Whitespace()
    ends = [(mark, MARKS.index(mark)) for mark in ("[CLS]", "[SEP]")]
    split.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=ends
    )
    marks = {f"{name}_token": f"[{name.upper()}]" for name in ("unk", "pad", "cls", "sep", "mask")}
    PreTrainedTokenizerFast(tokenizer_object=split, model_max_length=32, **marks).save_pretrained(folder)
    size = {
        "num_hidden_layers": layers,
        "num_attention_heads": 2,
        "intermediate_size": 64,
        "max_position_embeddings": longest,
    }
    BertModel(BertConfig(vocab_size=len(known), hidden_size=WIDTH, **size)).save_pretrained(folder)
    return folder


def save_tiny_mpnet(folder: Path, words: Sequence[str]) -> Path:
    """Write an MPNet that knows `words` and BERT's marks beside its own, which stand where BERT's do not."""
    loaded_torch().manual_seed(6)
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import MPNetConfig, MPNetModel, PreTrainedTokenizerFast

    own = ("<s>", "<pad>", "</s>", "<unk>", *reversed(words), *MARKS)
    known = {word: place for place, word in enumerate(own)}
    split = Tokenizer(models.WordLevel(known, unk_token="[UNK]"))
    split.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=split, unk_token="[UNK]", pad_token="<pad>").save_pretrained(folder)
    size = {"num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64, "max_position_embeddings": 70}
    MPNetModel(MPNetConfig(vocab_size=len(known), hidden_size=WIDTH, **size)).save_pretrained(folder)
    return folder


class Killed(Exception):
    """What ends a training in its midst."""


def dying(student: Any, steps: int) -> Any:
    """Let a student die after some steps."""
    done: list[object] = []

    class Dying(type(student)):  # type: ignore[misc]
        def loss(self, batch: object) -> Any:
            done.append(batch)
            if len(done) > steps:
                raise Killed
            return super().loss(batch)

    student.__class__ = Dying
    return student


def imports_torch(program: str) -> bool:
    """Tell whether a program imports PyTorch."""
    told = f"import sys; {program}; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    return done.stdout.strip() == "True"
