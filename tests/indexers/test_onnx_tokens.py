"""The late-interaction encoder in ONNX form: its model is loaded once, whatever texts are encoded at a time."""

import threading

from indexers.models.onnx import LoadedModel
from indexers.models.onnx_tokens import OnnxTokenEncoder


class Watched(OnnxTokenEncoder):
    """It remembers which threads asked for its model; without the lock that cached_property had before Python 3.12."""

    def __init__(self) -> None:
        super().__init__(threads=4)
        self.asked: list[int] = []
        self.loaded: LoadedModel | None = None

    @property
    def _model(self) -> LoadedModel:  # type: ignore[override]
        self.asked.append(threading.get_ident())
        if self.loaded is None:
            self.loaded = LoadedModel.load(self._files, self.dimensions)
        return self.loaded


async def test_the_model_is_loaded_before_the_threads_begin() -> None:
    encoder = Watched()
    found = await encoder.encode_documents([f"Light {number}" for number in range(8)])
    assert (len(found), len(encoder.asked)) == (8, 1)
