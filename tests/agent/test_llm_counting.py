"""Tokens are counted high by rules alone, and nothing slow is loaded before a model is asked."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.llm.counting import PICTURE_TOKENS, count_prompt, count_tokens
from heliograph.types import Prompt

ROOT = Path(__file__).resolve().parent.parent.parent

COUNTED_BY_QWEN = {
    "The tower is 34 m high and was first lit in 1871.": 19,
    "| Storholm | 41 | 930 | Skerry Head Light | 1871 |\n" * 20: 500,
    "1,234,567.89 1998–2003 41.7 930 17 210 3.14159265358979": 55,
    "Sigurbjörn Þorvaldsson Kristjánsdóttir Wojciechowski Przemysław Tchoupitoulas Llanfairpwllgwyngyll Ngorongoro "
    "Xylophanes Mkhitaryan Dzhigarkhanyan": 62,
    "Quercus robur, Fagus sylvatica, Tyrannosaurus rex, Pseudotsuga menziesii, Archaeopteryx lithographica, "
    "Xylocopa": 39,
    "NATO UNESCO NASA AFL-CIO UEFA FIFA ICAO LOWW IATA VIE WNBA NCAA USSR": 22,
    "Mae Caerdydd yn brifddinas Cymru ac yn ddinas fwyaf y wlad gyda phoblogaeth llywodraeth": 37,
    "Helsinki on Suomen maan suurin kaupunki ja Uudenmaan maakunnan keskuskaupunki joka sijaitsee Suomenlahden "
    "rannalla kansainvaliset yhteiskunnalliset olosuhteet": 57,
    "Dodoma ni mji mkuu wa Tanzania na makao makuu ya serikali ulichaguliwa kuwa mji mkuu wakazi wake wanakadiriwa": 41,
    "Honolulu kapalakiko humuhumunukunukuapuaa Kamehameha Liliuokalani Kalanianaole Kealakekua Haleakala Kauai "
    "Molokai": 45,
    "Η Αθήνα είναι η πρωτεύουσα της Ελλάδας και η μεγαλύτερη πόλη της χώρας": 60,
    "北京是中华人民共和国的首都,位于华北平原北部": 11,
    "/ˈwʊstərʃər/ [ˌɪntəˈnæʃənəl] ʃtʁaːsə": 33,
    "https://upload.wikimedia.org/wikipedia/commons/thumb/4/4f/Foo_bar.jpg/220px-Foo_bar.jpg": 28,
    "a    b \n\n\n   c\t\t\td": 8,
}
"""Texts with the tokens that a server of Qwen2.5 counted (POST /tokenize)."""


@pytest.mark.parametrize("text", COUNTED_BY_QWEN)
def test_no_text_is_counted_lower_than_a_real_tokenizer_does(text: str) -> None:
    assert COUNTED_BY_QWEN[text] <= count_tokens(text) <= 7 * COUNTED_BY_QWEN[text]


def test_prose_is_counted_less_than_twice() -> None:
    prose = "Skerry Head Light is a lighthouse on Storholm, the largest of the Varn Islands. " * 10
    assert count_tokens(prose) < len(prose) / 2.2


@given(st.text(), st.text())
def test_a_whole_is_counted_no_higher_than_its_parts(first: str, second: str) -> None:
    assert count_tokens(f"{first}\n\n{second}") <= count_tokens(first) + count_tokens(second)


@given(st.text())
def test_a_text_is_counted_at_most_by_its_bytes(text: str) -> None:
    assert count_tokens(text) <= 3 + 1.05 * len(text.encode("utf8", "replace"))


def test_pictures_count() -> None:
    bare = Prompt("p", "s", ("a", "b"))
    assert count_prompt(Prompt("p", "s", ("a", "b"), (b"x", b"y"))) == count_prompt(bare) + 2 * PICTURE_TOKENS


def test_a_model_is_built_without_loading_its_client() -> None:
    program = (
        "import sys\n"
        "from agent.llm import ChatServers, RunModels\n"
        "from agent.meter import Meter\n"
        "from heliograph.config import Endpoint\n"
        "RunModels(ChatServers(), None, Meter()).llm(Endpoint(base_url='http://127.0.0.1:1/v1', model='m'), 'answer')\n"
        "print([name for name in ('openai', 'httpx', 'httpx2', 'langchain_core') if name in sys.modules])\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
