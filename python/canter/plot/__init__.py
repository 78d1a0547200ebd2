"""Pictures. They need matplotlib: ``pip install 'canter[plot]'``.

Functions take ``ax=`` and give back the artists that they added. They show nothing and change no settings.
"""

from canter.plot.bones import skeleton

__all__ = ["skeleton"]
