// Clip.view: the Python package canter.player, imported when it is first asked for.
#include "clip_methods.h"

const char clip_view_doc[] = PyDoc_STR(
    "view($self, /, *others, layout=\"side\", curve=None, quantity=\"height\", trail=(), contacts=None, up=None, ground=None, unit=None,\n"
    "     view=\"three-quarter\", follow=True, speed=1.0, theme=\"auto\", height=560)\n--\n\n"
    "The moving body in 3D, to play, scrub and turn: one page that works without a network.\n\n"
    "A notebook shows what this returns, and keeps it when it is exported; ``.save(\"walk.html\")`` writes the page. A limb in contact\n"
    "with the ground lights up: contacts are the markers NAME_down and NAME_up, where NAME is a joint or begins with a side (left_down).\n"
    "A clip that loops goes on travelling from round to round.\n\n"
    "Parameters\n----------\n"
    "*others : Clip\n"
    "    More clips on the same clock, of any skeleton, rate and length.\n"
    "layout : {'side', 'ghost'}, default 'side'\n"
    "    Others get a view each, or appear in that of the first, where they are, as see-through bodies in a colour each.\n"
    "curve : str, int or sequence of these; array_like, shape (F,); or mapping of str to array_like; optional\n"
    "    What goes along under the body: joints, whose `quantity` is shown, or your own numbers, one a frame. The default is both feet "
    "(the\n"
    "    first joint when there are none), () is nothing. Any other joint can be chosen in the player.\n"
    "quantity : {'height', 'speed', 'angle'}, default 'height'\n"
    "    Of a joint: its height above the ground, its speed, or the angle in degrees by which the limb is bent there.\n"
    "trail : str, int or sequence of these\n"
    "    Joints that leave a trail. The way over the ground is always there, and a button hides both.\n"
    "contacts : mapping of str to array_like, shape (N, 2), optional\n"
    "    When joints or sides of this clip touch the ground, in seconds from and to; instead of markers of the same name.\n"
    "up : {'x', '+x', '-x', 'y', ..., '-z'}, optional\n"
    "    The axis that is drawn upward. The default is what the file is believed to have, else +Y.\n"
    "ground : float, optional\n"
    "    Its height. The default is 0, or the lowest point of the body (median over frames) if that is further away than a tenth of its "
    "size.\n"
    "unit : str, optional\n"
    "    What lengths are in, for labels. The default is what the file is believed to have; metres for a clip that came from no file.\n"
    "view : {'three-quarter', 'side', 'front', 'back', 'top'} or (float, float)\n"
    "    Where from, at first: or degrees above the ground and around, 0 from ahead (+Z) and 90 from the left of who faces there.\n"
    "follow : bool, default True\n"
    "    The camera goes along with the body; else it shows the whole way.\n"
    "speed : float, default 1.0\n"
    "    0.1 to 4 times.\n"
    "theme : {'auto', 'light', 'dark'}, default 'auto'\n"
    "    The default is as the notebook, or the system, is.\n"
    "height : int, default 560\n"
    "    Of the player in a notebook, in pixels.\n\n"
    "Returns\n-------\n"
    "Player\n"
    "    With `html` (the page as str) and `save(path)`.\n\n"
    "Raises\n------\n"
    "TypeError\n"
    "    One of others is not a Clip.\n"
    "ValueError, IndexError\n"
    "    There is no such joint (near names are told), a curve does not have a finite number a frame, an option is none of its words.\n\n"
    "Warns\n-----\n"
    "CanterWarning\n"
    "    The page has more than 50 MB. Nothing is left out.\n\n"
    "Notes\n-----\n"
    "Positions are rounded to 1/20000 of the body's size: less than 0.1 mm off for one of 2 m. Between frames (of clips below 30 a "
    "second:\n"
    "between 30 or more samples) they move in straight lines, where Clip.sample turns the bones.\n\n"
    "Examples\n--------\n"
    ">>> clip = ct.examples.walk()\n"
    ">>> clip.view(curve=\"LeftLeg\", quantity=\"angle\", trail=\"LeftHand\")\n"
    "<Player: walk, 0.1 MB; .save('x.html') writes it>");

PyObject *clip_view(PyObject *clip, PyObject *others, PyObject *options)
{
    PyObject *module = PyImport_ImportModule("canter.player");
    PyObject *view = module ? PyObject_GetAttrString(module, "view") : NULL;
    PyObject *self = view ? PyTuple_Pack(1, clip) : NULL;
    PyObject *clips = self ? PySequence_Concat(self, others) : NULL;
    PyObject *player = clips ? PyObject_Call(view, clips, options) : NULL;
    Py_XDECREF(clips);
    Py_XDECREF(self);
    Py_XDECREF(view);
    Py_XDECREF(module);
    return player;
}
