"""The gates of canter, in the order in which they start. Read from the top; `.ci/run --list` prints the first lines of the docstrings."""

from __future__ import annotations

import glob
import os
import re
import shutil
import sys
import tomllib
from pathlib import Path

from runner import BUILD, ROOT, Broken, Gate, gate, main

VENV = BUILD / "venv"
PYTHON = VENV / "bin" / "python"
CONSTRAINTS = ROOT / ".ci" / "constraints.txt"
OLDEST_NUMPY = "2.0.0"
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
SANITIZERS = "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g -O1"
FIXED_ADDRESSES = "setarch -R"  # at random ones, the sanitizers of older compilers now and then fail to start

# command: the Debian package that brings it
SYSTEM = {
    "gcc": "gcc",
    "g++": "g++",
    "make": "make",
    "clang": "clang",
    "valgrind": "valgrind",
    "setarch": "util-linux",
    "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu",
    "qemu-aarch64": "qemu-user",
    "chromium": "chromium",
    "chromedriver": "chromium-driver",
    "git": "git",
}


def pytest_line(log: Path) -> str:
    """The closing line of the last pytest run in a log."""
    return next(line for line in reversed(log.read_text().splitlines()) if " passed" in line or " failed" in line).strip("= ")


def pip(run: Gate, python: Path, *words: str | Path, constraints: Path = CONSTRAINTS) -> None:
    run.run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", constraints, *words)


def requirements() -> list[str]:
    """What pyproject.toml asks for to build, to test and to develop, canter itself aside."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    wanted = project["build-system"]["requires"] + project["project"]["dependencies"]
    wanted += [requirement for extra in ("plot", "test", "dev") for requirement in extras[extra]]
    return sorted({requirement for requirement in wanted if not requirement.startswith("canter")})


def make(run: Gate, target: str, compiler: str, sanitize: str = "none", launcher: str = "", levels: str = "native") -> None:
    variant = [f"CC={compiler}", f"SANITIZE={sanitize}", f"LEVELS={levels}", f"RUN={launcher}", f"BUILD={BUILD}/ctests"]
    run.run("make", "-s", "-C", "csrc/tests", target, *variant)


def build_variant(run: Gate, name: str, cflags: str, ldflags: str = "") -> Path:
    """Builds the package with other flags into a folder for PYTHONPATH, which comes before the installed package."""
    base, lib = BUILD / name, BUILD / name / "lib"
    shutil.rmtree(base, ignore_errors=True)
    base.mkdir(parents=True)
    build = ["egg_info", "--egg-base", str(base), "build", "--build-base", str(base), "--build-lib", str(lib)]
    run.run(PYTHON, "setup.py", "-q", *build, CANTER_CFLAGS=cflags, CANTER_LDFLAGS=ldflags)
    if not list((lib / "canter").glob("_core*.so")):
        raise Broken(f"no extension in {lib}")
    return lib


@gate()
def tools(run: Gate) -> None:
    """Debian's compilers and emulators; installs what is missing when root."""
    missing = [package for command, package in SYSTEM.items() if not shutil.which(command)]
    headers = Path(run.output(sys.executable, "-c", "import sysconfig; print(sysconfig.get_path('include'))"))
    if not (headers / "Python.h").exists():
        missing.append("python3-dev")
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        missing.append("python3-venv")
    if not glob.glob("/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*"):
        missing.append("libclang-rt-14-dev")
    if not missing:
        return
    if os.geteuid() != 0:
        raise Broken(f"install first: sudo apt-get install {' '.join(missing)}")
    run.run("apt-get", "update", "-q")
    install = ["apt-get", "install", "-q", "-y", "--no-install-recommends"]
    run.run(*install, *missing, "libc6-dev", "libc6-dev-arm64-cross", DEBIAN_FRONTEND="noninteractive")


@gate("tools")
def core_gcc(run: Gate) -> str:
    """The core's C tests, built by gcc without a warning."""
    make(run, "test", "gcc")
    return "warnings are errors"


@gate("tools")
def venv(run: Gate) -> None:
    """Python's tools in build/ci/venv, at the versions of .ci/constraints.txt."""
    if not PYTHON.exists():
        run.run(sys.executable, "-m", "venv", VENV)
    pip(run, PYTHON, "pip")
    pip(run, PYTHON, *requirements())


@gate("venv")
def package(run: Gate) -> str:
    """The sdist, a wheel from the sdist, and that wheel installed."""
    dist = BUILD / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    run.run(PYTHON, "-m", "build", "--no-isolation", "--outdir", dist, ROOT)
    (wheel,) = dist.glob("*.whl")
    pip(run, PYTHON, "--force-reinstall", "--no-deps", wheel)
    where = Path(run.output(PYTHON, "-c", "import canter._core; print(canter.__file__)"))
    if not where.is_relative_to(VENV):
        raise Broken(f"tests would see {where}, not the installed wheel")
    return f"{wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB"


@gate("package")
def tests(run: Gate) -> str:
    """pytest on the installed wheel, in Python's development mode. (The slow tests run once, at the end.)"""
    run.run(PYTHON, "-X", "dev", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow")
    return pytest_line(run.path)


@gate("tools")
def core_clang(run: Gate) -> str:
    """The core's C tests, built by clang without a warning."""
    make(run, "test", "clang")
    return "warnings are errors"


@gate("tools")
def core_address(run: Gate) -> None:
    """The core's C tests under AddressSanitizer and UndefinedBehaviorSanitizer."""
    make(run, "test", "clang", "address", FIXED_ADDRESSES)


@gate("tools")
def core_thread(run: Gate) -> None:
    """The core's C tests under ThreadSanitizer."""
    make(run, "test", "gcc", "thread", FIXED_ADDRESSES)


@gate("tools")
def core_arm64(run: Gate) -> None:
    """The core's C tests on arm64: the same hashes as here."""
    make(run, "test", "aarch64-linux-gnu-gcc", launcher="qemu-aarch64 -L /usr/aarch64-linux-gnu")


@gate("tools")
def core_levels(run: Gate) -> None:
    """The core's C tests at every SIMD level, those that this machine lacks too: the same hashes."""
    make(run, "test", "gcc", levels="plain")


@gate("venv")
def binding_warnings(run: Gate) -> None:
    """The binding, compiled by gcc and clang without a warning."""
    ask = "import sysconfig, numpy; print(sysconfig.get_path('include')); print(numpy.get_include())"
    python_headers, numpy_headers = run.output(PYTHON, "-c", ask).splitlines()
    macros = ["-DNPY_NO_DEPRECATED_API=NPY_2_0_API_VERSION", "-DNPY_TARGET_VERSION=NPY_2_0_API_VERSION"]
    includes = ["-Icsrc/core", "-Icsrc/binding", "-isystem", python_headers, "-isystem", numpy_headers]
    for compiler in ("gcc", "clang"):
        for source in sorted(ROOT.glob("csrc/binding/*.c")):
            run.run(compiler, "-std=c11", "-O2", *WARNINGS, *macros, *includes, "-c", source, "-o", "/dev/null")


@gate("tools")
def headers(run: Gate) -> None:
    """Includes of the core as drawn in csrc/core/README.md; each header compiles alone."""
    run.run(sys.executable, ".ci/check_headers.py")


@gate("venv")
def style(run: Gate) -> None:
    """ruff and clang-format."""
    run.run(PYTHON, "-m", "ruff", "check", ".")
    run.run(PYTHON, "-m", "ruff", "format", "--check", ".")
    run.run(VENV / "bin/clang-format", "--dry-run", "-Werror", *sorted(ROOT.glob("csrc/*/*.[ch]")), *sorted(ROOT.glob("csrc/*/*.inc")))


@gate("package")
def types(run: Gate) -> None:
    """mypy --strict, and stubtest: the stubs say what the extension has."""
    run.run(PYTHON, "-m", "mypy", "--strict", "python", ".ci")
    run.run(PYTHON, "-m", "mypy", "tests", "benchmarks")
    run.run(PYTHON, "-m", "mypy.stubtest", "canter._core", "--mypy-config-file", ROOT / "pyproject.toml", cwd=BUILD)


@gate("package")
def levels(run: Gate) -> str:
    """pytest at every SIMD level of this machine but the best, which the other gates run at."""
    flags = Path("/proc/cpuinfo").read_text().split()
    names = ["baseline", *(level for level, flag in (("avx2", "avx2"), ("avx512", "avx512vl")) if flag in flags)]
    for level in names[:-1]:
        run.run(PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", CANTER_SIMD=level)
    return f"{', '.join(names[:-1])}; the best is {names[-1]}"


@gate("package")
def sanitized(run: Gate) -> str:
    """pytest on an extension built with AddressSanitizer and UndefinedBehaviorSanitizer."""
    lib = build_variant(run, "sanitized", SANITIZERS, SANITIZERS)
    preload = [run.output("gcc", f"-print-file-name={name}") for name in ("libasan.so", "libstdc++.so")]
    run.run(
        # A sanitizer reports on file descriptor 2 and ends the process: pytest must not hold that back.
        *[*FIXED_ADDRESSES.split(), str(PYTHON), "-m", "pytest", "--capture=sys", "-q", "-p", "no:cacheprovider", "-m", "not slow"],
        LD_PRELOAD=" ".join(preload),
        PYTHONPATH=lib,
        PYTHONMALLOC="malloc",
        # CPython keeps some memory until it exits; leaks are tests/test_leaks.py's to find.
        ASAN_OPTIONS="detect_leaks=0",
        UBSAN_OPTIONS="print_stacktrace=1",
    )
    return pytest_line(run.path)


@gate("package")
def oldest_numpy(run: Gate) -> str:
    """The same wheel and pytest with the oldest NumPy that canter supports."""
    folder = BUILD / "venv-oldest"
    python = folder / "bin" / "python"
    if not python.exists():
        run.run(sys.executable, "-m", "venv", folder)
    constraints = BUILD / "constraints-oldest.txt"
    kept = [line for line in CONSTRAINTS.read_text().splitlines() if not line.startswith("numpy==")]
    constraints.write_text("\n".join([*kept, f"numpy=={OLDEST_NUMPY}", ""]))
    (wheel,) = (BUILD / "dist").glob("*.whl")
    pip(run, python, "pip", constraints=constraints)
    pip(run, python, f"{wheel}[test]", constraints=constraints)
    pip(run, python, "--force-reinstall", "--no-deps", wheel, constraints=constraints)
    run.run(python, "-c", f"import numpy; assert numpy.__version__ == {OLDEST_NUMPY!r}")
    run.run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow")
    return pytest_line(run.path)


@gate("package")
def coverage(run: Gate) -> str:
    """Lines run by pytest in the core, the binding and Python: no fewer than the floors."""
    # Atomic counters: worker threads run the core too.
    lib = build_variant(run, "coverage", "--coverage -O1 -fprofile-update=atomic", "--coverage")
    run.run(
        *[str(PYTHON), "-m", "coverage", "run", "--source", "canter", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow"],
        PYTHONPATH=lib,
        COVERAGE_FILE=BUILD / "coverage" / "python.coverage",
    )
    run.run(PYTHON, ".ci/check_coverage.py", BUILD / "coverage", COVERAGE_FILE=BUILD / "coverage" / "python.coverage")
    return run.path.read_text().splitlines()[-1]


@gate("tools")
def fuzz(run: Gate) -> str:
    """Every file reader: its corpus again, then new input, the same for the same commit, for half a minute."""
    make(run, "fuzz", "clang", "fuzz", FIXED_ADDRESSES, levels="plain")
    runs = re.findall(r"stat::number_of_executed_units: *(\d+)", run.path.read_text())
    if not runs:
        raise Broken("no fuzzer ran")
    return f"{', '.join(runs)} inputs"


@gate("tools")
def instructions(run: Gate) -> str:
    """Instructions of the core's inner loops, within 2 % of those recorded."""
    run.run(sys.executable, ".ci/check_instructions.py")
    return run.path.read_text().splitlines()[-1]


@gate("venv")
def readme(run: Gate) -> str:
    """The README's commands in a fresh copy of the checkout; the last one runs all tests, the slow ones and the browser's too."""
    constraints = {"PIP_CONSTRAINT": CONSTRAINTS, "PIP_BUILD_CONSTRAINT": CONSTRAINTS}
    run.run(sys.executable, ".ci/readme_commands.py", CANTER_BROWSER="required", **constraints)
    return pytest_line(run.path)


sys.exit(main(sys.argv[1:]))
