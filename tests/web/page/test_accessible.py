"""What a screen reader and weak eyes need: roles, names, live regions, contrast, and room on a small screen."""

import json
import subprocess
import tarfile
from itertools import pairwise
from typing import Any

import pytest

from tests.web.page.reading import MOON, PLUME, POLE, answered, ask
from tests.web.page.scripted import ScriptedServer

NAMELESS = """
() => [...document.querySelectorAll('button, a[href], input, textarea, select, [role=tab], [role=treeitem]')]
  .filter((one) => one.checkVisibility())
  .filter((one) => !(one.getAttribute('aria-label') || one.innerText || one.labels?.[0]?.innerText || '').trim())
  .map((one) => one.outerHTML.slice(0, 120))
"""
FAINT = """
() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const parts = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const light = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (one) => {
    const layers = [];
    for (let at = one; at; at = at.parentElement) layers.push(parts(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const one = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !one.checkVisibility()) continue;
    if (one.closest('.unseen, button:disabled, script')) continue;
    const style = getComputedStyle(one);
    const back = behind(one);
    const [a, b] = [light(over(parts(style.color), back).slice(0, 3)), light(back.slice(0, 3))].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (a + 0.05) / (b + 0.05);
    const words = walk.currentNode.data.slice(0, 40);
    if (ratio < (large ? 3 : 4.5)) found.push(`${ratio.toFixed(2)} ${one.className || one.tagName} ${words}`);
  }
  return found;
}
"""


def everything(page: Any) -> None:
    """Show an answer with its steps and references open, and the evidence beside it."""
    turn = answered(page, PLUME)
    turn.locator(".steps > summary").click()
    turn.locator(".references > summary").click()
    turn.get_by_role("button", name="Citation 4").click()
    page.locator("#panel tr.cited").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_words_stand_out_from_their_ground(page: Any, scripted: ScriptedServer, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    scripted.add_conversation("An older one", [MOON])
    page.reload()
    page.locator(".offer").first.wait_for()
    assert page.evaluate(FAINT) == []
    everything(page)
    assert page.evaluate(FAINT) == []
    page.get_by_role("button", name="Next citation").click()
    page.locator("#panel mark").wait_for()
    assert page.evaluate(FAINT) == []
    page.get_by_role("tab", name="Trace").click()
    page.get_by_role("treeitem").nth(3).click()
    page.locator(".span-detail").wait_for()
    assert page.evaluate(FAINT) == []


def test_the_contrast_check_sees_faint_words(page: Any) -> None:
    page.locator(".offer").first.wait_for()  # until the server is known, the welcome is drawn once more
    page.evaluate("document.querySelector('.welcome p').style.color = 'rgb(200, 200, 200)'")
    (found,) = page.evaluate(FAINT)
    assert "Every claim is checked" in found


def test_every_control_has_a_name(page: Any) -> None:
    assert page.evaluate(NAMELESS) == []
    everything(page)
    assert page.evaluate(NAMELESS) == []
    page.get_by_role("tab", name="Trace").click()
    page.get_by_role("treeitem").first.wait_for()
    assert page.evaluate(NAMELESS) == []


def test_the_page_has_landmarks_and_headings_in_order(page: Any) -> None:
    everything(page)
    for role, name in (
        ("banner", None),
        ("navigation", "Conversations"),
        ("main", None),
        ("complementary", "Voyager 1"),
    ):
        assert page.get_by_role(role, name=name).count() == 1
    levels = page.evaluate(
        "[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter((one) => one.checkVisibility())"
        ".map((one) => Number(one.tagName[1]))"
    )
    assert levels[0] == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))


def test_steps_and_claims_are_said_politely(page: Any) -> None:
    answered(page, PLUME)
    log = page.get_by_role("log")
    assert log.get_attribute("aria-live") == "polite"
    said = log.inner_text()
    assert "Quoted: On 9 March 1979" in said
    assert "The answer is complete: 4 claims." in said


def test_a_failure_is_said_at_once(page: Any, scripted: ScriptedServer) -> None:
    scripted.session_over = True
    ask(page, MOON)
    page.get_by_role("alert").get_by_text("This session has ended").wait_for()


def test_verdicts_are_words_and_shapes_not_colours_alone(page: Any, scripted: ScriptedServer) -> None:
    story = scripted.stories[PLUME]
    verdicts = ["quoted", "supported", "computed", "partial", "unsupported", "unchecked", "never heard of"]
    claims = [{**story["answer"]["claims"][0], "verdict": verdict} for verdict in verdicts]
    story["answer"] = {**story["answer"], "claims": claims}
    turn = answered(page, PLUME)
    words = turn.locator(".verdict").all_inner_texts()
    known = ["Quoted", "Supported", "Computed", "Partly supported", "Not supported", "Not checked"]
    assert words == [*known, "Not checked"]
    shapes = turn.locator(".verdict path").evaluate_all("all => all.map((one) => one.getAttribute('d'))")
    assert len(set(shapes)) == 6


def test_no_verdict_says_that_a_claim_is_right(page: Any, scripted: ScriptedServer) -> None:
    """What is quoted, paraphrased or computed is plain: a green tick would praise what may not answer the question."""
    story = scripted.stories[PLUME]
    claims = [{**story["answer"]["claims"][0], "verdict": each} for each in ("quoted", "supported", "computed")]
    story["answer"] = {**story["answer"], "claims": claims}
    verdicts = answered(page, PLUME).locator(".verdict")
    looks = "all => all.map((one) => [getComputedStyle(one).color, one.querySelector('path').getAttribute('d')])"
    shown = verdicts.evaluate_all(looks)
    plain = page.locator(".foot .aside").first.evaluate("one => getComputedStyle(one).color")
    assert {colour for colour, _ in shown} == {plain}
    tick = page.evaluate("import('/static/icons.js').then(({ icon }) => icon('tick').firstChild.getAttribute('d'))")
    assert tick not in {shape for _, shape in shown}


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_nothing_is_wider_than_the_window(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    everything(page)
    wide = (
        "document.documentElement.scrollWidth > innerWidth || document.getElementById('main').scrollWidth > innerWidth"
    )
    assert not page.evaluate(wide)
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Trace").click()
    page.get_by_role("treeitem").first.wait_for()
    assert not page.evaluate(wide)


def test_on_a_phone_conversations_are_in_a_drawer(page: Any, scripted: ScriptedServer) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    answered(page, POLE)
    assert not page.get_by_role("link", name=POLE).is_visible()
    page.get_by_role("button", name="Conversations").click()
    page.get_by_role("link", name=POLE).wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("link", name=POLE).wait_for(state="hidden")


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Fetch axe-core by npm; it is somebody else's code and stays out of the repository."""
    folder = tmp_path_factory.mktemp("axe")
    try:
        packed = subprocess.run(
            ["npm", "pack", "--silent", "--fetch-retries=0", "axe-core@4"],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as err:
        pytest.skip(f"npm cannot fetch axe-core: {err}")
    with tarfile.open(folder / packed.stdout.split()[-1]) as archive:
        script = archive.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


@pytest.mark.npm
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Any, axe: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.reload()
    page.locator(".offer").first.wait_for()
    page.evaluate(axe)
    assert faults(page) == []
    everything(page)
    assert faults(page) == []
    page.get_by_role("tab", name="Trace").click()
    page.get_by_role("treeitem").nth(3).click()
    page.locator(".span-detail").wait_for()
    assert faults(page) == []


def faults(page: Any) -> list[str]:
    """Return what axe finds wrong by the rules of WCAG 2.2 A and AA and its best practices."""
    found = page.evaluate("axe.run(document).then((result) => JSON.stringify(result.violations))")
    return [f"{fault['id']}: {node['html'][:140]}" for fault in json.loads(found) for node in fault["nodes"]]
