"""Colours that can be told apart by everyone."""

import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from canter import colors


def linear(color):
    c = np.array(to_rgb(color))
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lightness(color):
    return 116 * np.cbrt(linear(color) @ (0.2126, 0.7152, 0.0722)) - 16


# Full loss of the long, middle or short cones in linear RGB: G. M. Machado and others, A Physiologically-based Model (2009).
LOSS = {
    "none": np.eye(3),
    "protan": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    "deutan": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]),
    "tritan": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
}


def lab(color, loss):
    x = np.clip(LOSS[loss] @ linear(color), 0, 1) @ np.array([[0.4124, 0.2126, 0.0193], [0.3576, 0.7152, 0.1192], [0.1805, 0.0722, 0.9505]])
    f = np.cbrt(x / (0.9505, 1.0, 1.089))
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("loss", LOSS)
def test_sides_and_bodies_differ_whatever_cones_are_missing(loss):
    for group in (colors.SIDES.values(), colors.BODIES[:4], colors.AXES):
        for a, b in combinations(group, 2):
            assert np.linalg.norm(lab(a, loss) - lab(b, loss)) > 15  # CIE 1976; 2.3 is just seen


def test_weights_darken_at_an_even_pace():
    steps = np.diff([lightness(color) for color in colors.WEIGHTS])
    assert np.all(steps < 0)
    assert np.allclose(steps, steps.mean(), rtol=0.03)
    assert lightness(colors.WEIGHTS[0]) < 85  # seen on white paper


def test_contact_grounds_are_lighter_than_any_line():
    lightest = max(lightness(color) for color in colors.BODIES)
    assert all(lightness(color) > lightest + 10 for color in colors.CONTACTS.values())


def test_body_colours_come_round_again():
    assert colors.body(0) == colors.body(len(colors.BODIES)) == colors.BODIES[0]


def test_colours_need_no_matplotlib():
    code = "import sys; from canter import colors; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip() == "False"
