"""Chromium without a window, for pages that canter makes. Nothing in it reaches a network."""

from __future__ import annotations

import base64
import io
import json
import os
import shutil
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

REQUIRED = "CANTER_BROWSER"  # set to "required", a missing browser is a failure; otherwise its tests are skipped
PATIENCE = 20.0  # seconds, on a machine that does much else


class Page:
    """A page with a player, or the frame of one, and what a person does in it."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def state(self) -> dict[str, Any]:
        """How things stand, once all that was asked for has been drawn."""
        script = """
            const [done] = arguments;
            const tell = (player) => requestAnimationFrame(() => requestAnimationFrame(() => done(player.state())));
            window.canterPlayer.then(tell, (error) => done({ error: String(error) }));
        """
        state: dict[str, Any] = self.driver.execute_async_script(script)
        assert "error" not in state, state
        return state

    def wait(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            state = self.state()
            if holds(state):
                return state
        raise AssertionError(f"not within {PATIENCE} s: {state['time']} s, playing: {state['playing']}")

    def element(self, name: str) -> Any:
        return self.driver.find_element("id", name)

    def click(self, name: str) -> None:
        self.element(name).click()

    def press(self, *keys: str) -> None:
        self.element("stage").send_keys(*keys)

    def scrub(self, seconds: float) -> dict[str, Any]:
        script = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))"
        self.driver.execute_script(script, self.element("scrub"), seconds)
        return self.state()

    def choose(self, name: str, value: str) -> None:
        script = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'))"
        self.driver.execute_script(script, self.element(name), value)

    def text(self, name: str) -> str:
        return str(self.element(name).text)

    def pixels(self, canvas: str) -> np.ndarray:
        """What is drawn on a canvas, (height, width, 4)."""
        url = self.driver.execute_script("return arguments[0].toDataURL()", self.element(canvas))
        return _picture(base64.b64decode(url.partition(",")[2]), "RGBA")

    def screenshot(self) -> np.ndarray:
        """The whole page as it is seen, (height, width, 3)."""
        return _picture(self.driver.get_screenshot_as_png(), "RGB")


def _picture(png: bytes, mode: str) -> np.ndarray:
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png)).convert(mode))


def start() -> Any:
    """The browser, for selenium to drive."""
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not chromedriver:
        missing = "chromium or chromedriver is not there: apt-get install chromium chromium-driver"
        if os.environ.get(REQUIRED) == "required":
            pytest.fail(missing)
        pytest.skip(missing)
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for word in (
        "headless=new",
        "no-sandbox",  # which root needs
        "disable-dev-shm-usage",
        "disable-gpu",
        "hide-scrollbars",
        "force-device-scale-factor=1",
        "window-size=900,700",
        "no-first-run",
        "disable-background-networking",
        "disable-component-update",
        "host-resolver-rules=MAP * ~NOTFOUND",
    ):
        options.add_argument(f"--{word}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    # The driver is named, so that selenium looks for none elsewhere.
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(chromedriver))
    driver.set_script_timeout(PATIENCE)
    return driver


def complaints(driver: Any) -> list[str]:
    """Errors that a script logged, and what the page asked a network for."""
    errors = [entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    events = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    urls = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    return errors + [url[:200] for url in urls if not url.startswith(("file:", "data:", "blob:", "about:"))]
