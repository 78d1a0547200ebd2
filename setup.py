"""The C parts of the build: a static library of the core, which never sees Python.h, and the extension on top of it.

CANTER_CFLAGS and CANTER_LDFLAGS add compiler and linker flags to both (sanitizers, coverage, -Werror).
"""

import contextlib
import os
import shlex
from glob import glob

import numpy
from setuptools import Extension, setup
from setuptools.command.build_clib import build_clib
from setuptools.command.build_ext import build_ext

EXTRA = shlex.split(os.environ.get("CANTER_CFLAGS", ""))
LINK = shlex.split(os.environ.get("CANTER_LDFLAGS", ""))
# Same bits on every machine: no fused multiply-add, no reordering. errno is never read, which lets sqrt be one instruction.
FLAGS = ["-std=c11", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fvisibility=hidden", "-Wno-psabi", *EXTRA]
CORE = sorted(glob("csrc/core/*.c"))
INCLUDED = sorted(glob("csrc/*/*.h") + glob("csrc/*/*.inc"))


class BuildCore(build_clib):
    """build_clib that archives anew: objects of sources that are gone would stay in the old archive."""

    def build_libraries(self, libraries: list[tuple[str, dict[str, list[str]]]]) -> None:
        for name, _ in libraries:
            with contextlib.suppress(FileNotFoundError):
                os.remove(os.path.join(self.build_clib, self.compiler.library_filename(name)))
        super().build_libraries(libraries)


class BuildExtension(build_ext):
    """build_ext that builds the core first, in place and editable installs too."""

    def run(self) -> None:
        self.run_command("build_clib")
        super().run()


setup(
    libraries=[
        (
            "canter_core",
            {
                "sources": CORE,
                "depends": INCLUDED,
                "obj_deps": {"": INCLUDED},
                "include_dirs": ["csrc/core"],
                "cflags": [*FLAGS, "-fPIC"],
            },
        )
    ],
    ext_modules=[
        Extension(
            "canter._core",
            sources=sorted(glob("csrc/binding/*.c")),
            depends=[*INCLUDED, *CORE],  # linked anew when only the core changed
            include_dirs=["csrc/core", "csrc/binding", numpy.get_include()],
            define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION"), ("NPY_TARGET_VERSION", "NPY_2_0_API_VERSION")],
            extra_compile_args=FLAGS,
            extra_link_args=LINK,
            libraries=["m", "pthread"] if os.name == "posix" else [],
        )
    ],
    cmdclass={"build_clib": BuildCore, "build_ext": BuildExtension},
)
