"""Draws the picture of the README: the example walk at nine moments.  python docs/draw_walk.py"""

from pathlib import Path

import numpy as np

import canter as ct
from canter.plot.figure import fill, new_axes, new_figure

clip = ct.examples.walk(cycles=2)
figure = new_figure()
axes = new_axes(figure)
ct.plot.skeleton(clip.skeleton, clip.sample(np.linspace(0.0, clip.duration, 9)), ax=axes)
fill(axes)
figure.savefig(Path(__file__).with_name("walk.png"), dpi=110)
