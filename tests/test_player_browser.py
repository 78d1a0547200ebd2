"""Clip.view in a browser: what the page shows and how it answers."""

import warnings

import numpy as np
import pytest

import browser
import canter as ct
from canter import cli
from conftest import humanoid, positions, wander

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def driver():
    driver = browser.start()
    yield driver
    driver.quit()


@pytest.fixture
def open_page(driver, tmp_path):
    """open_page(html): the page as a file in the browser. In the end nothing may have been logged, nor asked of a network."""

    def show(html):
        path = tmp_path / "page.html"
        path.write_text(html, encoding="utf-8")
        driver.get(path.as_uri())
        return browser.Page(driver)

    browser.complaints(driver)  # of the test before
    yield show
    assert browser.complaints(driver) == []


def inked(pixels):
    """Where a canvas, (height, width, 4), has been drawn on."""
    return pixels[..., 3] > 40


def test_body_is_drawn_and_moves(open_page, walk):
    page = open_page(walk.view(follow=False, view="side").html)
    assert page.state()["time"] == 0
    places = []
    for time in (0.5, 2.5):
        page.scrub(time)
        drawn = inked(page.pixels("bodies"))
        assert 0.002 < drawn.mean() < 0.3
        places.append(np.flatnonzero(drawn.any(axis=0)).mean())
    assert places[1] - places[0] > 50, "from the right side, the body walks to the right"
    seen = page.screenshot().reshape(-1, 3).astype(int)
    for color in [(0, 114, 178), (230, 159, 0)]:  # left and right
        assert (np.abs(seen - color).sum(axis=1) < 30).sum() > 100


def test_scrubbing_shows_the_pose_of_the_clip(open_page, walk):
    page = open_page(walk.view().html)
    for frame in (0, 60, 137, 198):
        state = page.scrub(frame * walk.frame_time)
        shown = np.reshape(state["points"][0], (-1, 3))
        assert np.linalg.norm(shown - positions(walk)[frame], axis=-1).max() < 1e-4
        assert f"frame {frame} of 199" in page.text("time")
    time = 70.4 * walk.frame_time
    exact = walk.skeleton.forward_kinematics(walk.sample(time))[0]
    shown = np.reshape(page.scrub(time)["points"][0], (-1, 3))[: len(exact)]
    assert np.linalg.norm(shown - exact, axis=-1).max() < 1e-3, "a straight line between frames"


def test_it_plays_and_stops(open_page, walk):
    page = open_page(walk.view().html)
    page.click("play")
    page.wait(lambda state: state["playing"] and state["time"] > 0.2)
    page.press(" ")
    time = page.wait(lambda state: not state["playing"])["time"]
    assert page.state()["time"] == time
    page.press(" ")
    page.wait(lambda state: state["time"] > time)


def test_keys_step_by_frames_and_switch_what_is_shown(open_page, walk):
    page = open_page(walk.view().html)
    page.scrub(20.4 * walk.frame_time)
    page.press("\ue014")  # right
    assert page.state()["time"] == pytest.approx(21 * walk.frame_time)
    page.press("\ue012", "\ue012")  # left
    assert page.state()["time"] == pytest.approx(19 * walk.frame_time)
    page.press("\ue010")  # end
    assert page.state()["time"] == pytest.approx(walk.duration)
    page.press("\ue011")  # home
    assert page.state()["time"] == 0
    before = page.state()
    page.press("l", "f", "t", "]")
    after = page.state()
    for key in ("repeating", "following", "trailing"):
        assert after[key] is not before[key]
    assert (before["speed"], after["speed"]) == (1, 2)


def test_speed_is_that_of_the_clock(open_page):
    clip = wander(humanoid(8), 3600)
    page = open_page(clip.view().html)
    measured = """
        const [done] = arguments;
        window.canterPlayer.then((player) => {
            let began = null;
            const look = (now) => {
                began ??= { now, time: player.state().time };
                if (now - began.now < 400) requestAnimationFrame(look);
                else done((player.state().time - began.time) / ((now - began.now) / 1000));
            };
            requestAnimationFrame(look);
        });
    """
    page.press(" ")
    for speed in ("0.25", "4"):
        page.choose("speed", speed)
        assert page.state()["speed"] == float(speed)
        assert page.driver.execute_async_script(measured) == pytest.approx(float(speed), rel=0.4)


def test_end_is_the_start_again_or_the_end(open_page, walk):
    page = open_page(walk.view().html)
    page.scrub(walk.duration - 0.05)
    page.press(" ")
    page.wait(lambda state: 0 < state["time"] < 1)
    page.press("l", " ")
    page.scrub(walk.duration - 0.05)
    page.press(" ")
    assert page.wait(lambda state: not state["playing"])["time"] == pytest.approx(walk.duration)


def test_loop_goes_on_travelling(open_page):
    clip = ct.examples.turn_left()
    page = open_page(clip.view(speed=4).html)
    page.press(" ")
    page.wait(lambda state: state["round"] >= 2)
    page.press(" ")
    state = page.wait(lambda state: not state["playing"])
    motion = clip.root_motion()
    time, hips = state["time"], motion.joint
    (start, heading), (place, turned) = motion.at(time), motion.at(time + state["round"] * clip.period)
    turn = ct.quat.from_axis_angle((0, 1, 0), turned - heading)
    there = clip.skeleton.forward_kinematics(clip.sample(time))[0]
    moved = ct.quat.rotate(turn, there.astype(np.float64) - start) + place
    shown = np.reshape(state["points"][0], (-1, 3))[: len(moved)]
    assert np.linalg.norm(place - start) > 0.3
    assert np.abs(shown - moved)[hips].max() < 2e-3
    assert np.abs(shown - moved).max() < 5e-3


def test_pointer_orbits_zooms_moves_and_plays(open_page, walk):
    from selenium.webdriver import ActionChains, Keys
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

    page = open_page(walk.view().html)
    stage, start = page.element("stage"), page.state()["camera"]
    ActionChains(page.driver, duration=50).drag_and_drop_by_offset(stage, 80, 30).perform()
    turned = page.state()
    assert turned["camera"]["azimuth"] < start["azimuth"]
    assert turned["camera"]["elevation"] > start["elevation"]
    assert not turned["playing"], "a drag is no click"
    ActionChains(page.driver, duration=50).scroll_from_origin(ScrollOrigin.from_element(stage), 0, -200).perform()
    assert page.state()["camera"]["zoom"] > start["zoom"]
    ActionChains(page.driver, duration=50).key_down(Keys.SHIFT).drag_and_drop_by_offset(stage, 40, 0).key_up(Keys.SHIFT).perform()
    assert np.linalg.norm(page.state()["camera"]["pan"]) > 0.01
    page.click("camera")
    assert page.state()["camera"] == start
    ActionChains(page.driver, duration=50).move_to_element_with_offset(stage, 0, -50).click().perform()
    page.wait(lambda state: state["playing"])


def test_fingers_orbit_zoom_and_play(open_page, walk):
    page = open_page(walk.view().html)

    def touch(kind, *points):
        fingers = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    start = page.state()["camera"]
    touch("touchStart", (200, 200))
    touch("touchMove", (260, 200))
    touch("touchEnd")
    turned = page.state()["camera"]
    assert turned["azimuth"] < start["azimuth"]
    touch("touchStart", (200, 200), (250, 200))
    touch("touchMove", (150, 200), (300, 200))
    touch("touchEnd")
    state = page.state()
    assert state["camera"]["zoom"] > 1.5
    assert state["camera"]["azimuth"] == turned["azimuth"]
    assert not state["playing"]
    touch("touchStart", (200, 200))
    touch("touchEnd")
    page.wait(lambda state: state["playing"])


def test_curves_are_those_of_the_joints_and_seek_when_clicked(open_page, walk):
    from selenium.webdriver import ActionChains

    page = open_page(walk.view(curve="LeftLeg", quantity="angle").html)
    (curve,) = page.state()["curve"]
    places = positions(walk).astype(np.float64)
    hip, knee, ankle = (places[:, walk.skeleton.index(name)] for name in ("LeftUpLeg", "LeftLeg", "LeftFoot"))
    thigh, shin = knee - hip, ankle - knee
    cosine = (thigh * shin).sum(-1) / np.linalg.norm(thigh, axis=-1) / np.linalg.norm(shin, axis=-1)
    assert curve["label"] == "LeftLeg"
    assert np.abs(np.array(curve["values"]) - np.degrees(np.arccos(cosine))).max() < 0.2

    page.choose("quantity", "height")
    page.choose("joint", str(walk.skeleton.index("Head")))
    (curve,) = page.state()["curve"]
    assert np.abs(np.array(curve["values"]) - places[:, walk.skeleton.index("Head"), 1]).max() < 1e-4
    page.choose("quantity", "speed")
    assert np.median(page.state()["curve"][0]["values"]) == pytest.approx(1.1, rel=0.1)

    canvas = page.element("curves")
    width = canvas.size["width"]
    ActionChains(page.driver, duration=50).move_to_element_with_offset(canvas, 0, 20).click().perform()
    assert page.state()["time"] == pytest.approx((width / 2 - 46) / (width - 46 - 12) * walk.duration, abs=0.02)
    assert inked(page.pixels("lines")).sum() > 500
    page.press("c")
    page.state()
    assert not page.element("curves").is_displayed()


def test_readings_name_a_clip_once(open_page):
    page = open_page(ct.examples.walk().view(ct.examples.run(), curve=["LeftLeg", "RightLeg"], quantity="angle").html)
    page.driver.execute_script(
        "window.words = []; const draw = CanvasRenderingContext2D.prototype.fillText;"
        "CanvasRenderingContext2D.prototype.fillText = function (text, ...at) { words.push(text); draw.call(this, text, ...at); };"
    )
    page.scrub(0.5)
    words = page.driver.execute_script("return words")
    shown = [word.rpartition(" ")[0] for word in words if word.endswith("\u00b0")]
    assert shown[-4:] == ["walk: LeftLeg", "RightLeg", "run: LeftLeg", "RightLeg"]


def test_curve_of_the_caller_is_shown(open_page, walk):
    page = open_page(walk.view(curve={"effort": np.arange(199) ** 2}).html)
    (curve,) = page.state()["curve"]
    assert curve["label"] == "effort"
    assert np.allclose(curve["values"], np.arange(199) ** 2, rtol=1e-5)


def test_feet_that_are_down_light_up(open_page):
    clip = ct.examples.walk()
    page = open_page(clip.view().html)
    left, right = ({clip.skeleton.index(f"{side}{part}") for part in ("Toe", "Foot")} for side in ("Left", "Right"))
    for time, lit in [(0.05, left | right), (0.3, left), (0.8, right)]:
        state = page.scrub(time)
        assert set(state["lit"][0]) == lit
        for canvas in ("bodies", "ground"):  # the foot, and a ring around it
            drawn = page.pixels(canvas).reshape(-1, 4).astype(int)
            assert (np.abs(drawn - (0, 158, 115, 255)).sum(axis=1) < 30).sum() > 30, canvas


def test_ghosts_stand_in_the_view_of_the_first_and_others_in_their_own(open_page, walk):
    other = walk.mirror()
    page = open_page(walk.view(other, layout="ghost").html)
    state = page.scrub(0.5)
    for clip, points in zip((walk, other), state["points"], strict=True):
        assert np.abs(np.reshape(points, (-1, 3)) - positions(clip)[30]).max() < 1e-4
    assert inked(page.pixels("ghosts")).sum() > 1000

    page = open_page(walk.view(other).html)
    page.scrub(0.5)
    assert not inked(page.pixels("ghosts")).any()
    drawn = inked(page.pixels("bodies"))
    halves = drawn[:, : drawn.shape[1] // 2].sum(), drawn[:, drawn.shape[1] // 2 :].sum()
    assert min(halves) > 1000


def test_ghosts_may_go_along_with_the_first_body(open_page):
    page = open_page(ct.examples.run().view(ct.examples.walk(), layout="ghost").html)
    runner, walker = (np.reshape(points, (-1, 3))[0] for points in page.scrub(0.9)["points"])
    assert runner[2] - walker[2] > 1.0
    page.press("g")
    runner, walker = (np.reshape(points, (-1, 3))[0] for points in page.state()["points"])
    assert abs(runner[2] - walker[2]) < 0.2


def test_shorter_clip_holds_its_end_and_shorter_loop_goes_round(open_page, walk):
    short, loop = walk[:30], ct.examples.run()
    page = open_page(walk.view(short, loop).html)
    state = page.scrub(2.0)
    assert np.abs(np.reshape(state["points"][1], (-1, 3)) - positions(short)[-1]).max() < 1e-4
    hips = np.array(state["points"][2][:3])
    assert hips[2] > 5.0, "3.5 m/s for two seconds"


def test_odd_clips_are_shown_too(open_page, walk):
    dot = ct.Skeleton(["<img src=x onerror=fail()>"], [-1], [(0, 0, 0)])
    forest = ct.Skeleton(["a", "b", "c"], [-1, -1, 1], [(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    clips = [
        walk.scaled(100),
        walk[:1],
        walk[:0],
        ct.Clip(dot, np.zeros((3, 1, 4)) + [1, 0, 0, 0], fps=30, name='</script><script>fail()</script>"&{{data}}'),
        ct.Clip(forest, np.zeros((3, 3, 4)) + [1, 0, 0, 0], fps=30),
        wander(humanoid(1000), 10),
        ct.examples.walk(fps=24),
        walk.resample(2),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        player = clips[3].view(*clips)
    page = open_page(player.html)
    state = page.scrub(0.02)
    assert len(state["points"]) == 9
    assert all(np.isfinite(points).all() for points in state["points"])
    assert page.driver.title.startswith('</script><script>fail()</script>"&{{data}}')
    page.press(" ")
    page.wait(lambda state: state["time"] > 0.1)
    for clip in (walk[:0], walk[:1], ct.Clip(dot, np.zeros((0, 1, 4)), fps=30)):
        assert open_page(clip.view().html).state()["duration"] == 0


def test_dark_page_and_narrow_page(open_page, walk):
    page = open_page(walk.view(theme="dark").html)
    page.state()
    assert page.screenshot()[5, 5].max() < 60
    page.driver.set_window_size(500, 700)
    try:
        state = page.state()
        assert state["duration"] == pytest.approx(walk.duration)
        width = page.driver.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1]
        assert inked(page.pixels("bodies")).sum() > 1000
    finally:
        page.driver.set_window_size(900, 700)


def test_two_players_in_a_notebook_page_go_their_own_ways(open_page, walk):
    nbconvert, v4 = pytest.importorskip("nbconvert"), pytest.importorskip("nbformat.v4")
    outputs = [v4.new_output("execute_result", {"text/html": clip.view()._repr_html_()}) for clip in (walk, walk.mirror())]
    notebook = v4.new_notebook(cells=[v4.new_code_cell("clip.view()", outputs=[output]) for output in outputs])
    html, _ = nbconvert.HTMLExporter(template_name="basic").from_notebook_node(notebook)
    page = open_page(f"<!doctype html><body style='background: #111'>{html}</body>")
    first, second = page.driver.find_elements("tag name", "iframe")
    page.driver.switch_to.frame(second)
    assert page.state()["time"] == 0
    page.driver.switch_to.parent_frame()
    page.driver.switch_to.frame(first)
    page.click("play")
    page.wait(lambda state: state["time"] > 0.2)
    theme = page.driver.execute_script("return document.documentElement.dataset.theme")
    assert theme == "dark", "as the page around it"
    page.driver.switch_to.parent_frame()
    page.driver.switch_to.frame(second)
    state = page.state()
    assert (state["time"], state["playing"]) == (0, False)
    page.driver.switch_to.default_content()


def test_command_line_makes_a_page_of_several_files(open_page, walk, tmp_path, capsys):
    first, second, broken = tmp_path / "first.bvh", tmp_path / "second.bvh", tmp_path / "broken.bvh"
    ct.save(walk, first)
    ct.save(walk.converted(up="-z", forward="+y"), second)
    broken.write_text("HIERARCHY")
    out = tmp_path / "out.html"
    assert cli.main(["plot", str(first), str(second), str(broken), "-o", str(out), "--frames", "0:100"]) == 1
    told = capsys.readouterr()
    assert told.out.splitlines() == [str(out)]
    assert len(told.err.splitlines()) == 1
    page = open_page(out.read_text(encoding="utf-8"))
    state = page.scrub(0.5)
    assert [len(points) for points in state["points"]] == [3 * (18 + 5)] * 2
    assert page.driver.title == "first.bvh, second.bvh"
    for points in state["points"]:
        assert np.ptp(np.reshape(points, (-1, 3))[:, 1]) > 1.4, "upright"


def test_ten_minutes_of_65_joints_play_smoothly(open_page):
    clip = wander(humanoid(65), 36_000)
    player = clip.view(trail="LeftHand")
    assert len(player.html) < 15e6
    page = open_page(player.html)
    assert page.scrub(599.0)["time"] == 599.0
    shown = np.reshape(page.state()["points"][0], (-1, 3))
    assert np.abs(shown - clip.global_positions()[35_940]).max() < 1e-4
    page.press(" ")
    # The work of a frame, not when it came: this machine may be busy.
    work = page.wait(lambda state: len(state["work"]) > 100)["work"]
    assert np.median(work) < 1000 / 60
