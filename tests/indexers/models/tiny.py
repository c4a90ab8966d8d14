"""Models that are made here: random weights, a dozen words."""

from collections.abc import Sequence
from pathlib import Path

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
