"""Runs gates: functions in a table, two at a time where they do not need each other; the first that breaks stops the rest."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "ci"
# What would change which package is tested, or how it is built.
UNWANTED = ("PYTHONPATH", "PYTHONHOME", "PYTHONMALLOC", "CANTER_SIMD", "CANTER_CFLAGS", "CANTER_LDFLAGS", "CFLAGS", "CC", "MAKEFLAGS")


def environment_of_gates() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key not in UNWANTED}


class Broken(Exception):
    """A gate that does not hold; the message says why."""


class Gate:
    """One gate while it runs: commands go to a log of its own."""

    running: set[subprocess.Popen[str]] = set()
    stopping = threading.Event()

    def __init__(self, entry: Entry) -> None:
        self.name = entry.name
        self.path = BUILD / "logs" / f"{entry.name}.log"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.log = self.path.open("w")

    def say(self, text: str) -> None:
        self.log.write(text + "\n")
        self.log.flush()

    def run(self, *command: str | Path, cwd: Path = ROOT, **environment: str | Path) -> None:
        """Runs a command with additions to the environment. Raises Broken when it fails."""
        words = [str(word) for word in command]
        added = {key: str(value) for key, value in environment.items()}
        self.say("$ " + " ".join([*(f"{k}={shlex.quote(v)}" for k, v in added.items()), shlex.join(words)]))
        if Gate.stopping.is_set():
            raise Broken("stopped")
        process = subprocess.Popen(
            words,
            cwd=cwd,
            env=environment_of_gates() | added,
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        Gate.running.add(process)
        code = process.wait()
        Gate.running.discard(process)
        if code != 0:
            raise Broken(f"`{textwrap.shorten(shlex.join(words), 150)}` ended with {code}")

    def output(self, *command: str | Path) -> str:
        """What a short command prints."""
        words = [str(word) for word in command]
        return subprocess.run(words, cwd=ROOT, env=environment_of_gates(), check=True, capture_output=True, text=True).stdout.strip()


@dataclass
class Entry:
    name: str
    needs: tuple[str, ...]
    run: Callable[[Gate], str | None]  # what it returns is printed beside its time

    @property
    def summary(self) -> str:
        return (self.run.__doc__ or "").splitlines()[0]


TABLE: dict[str, Entry] = {}


def gate(*needs: str) -> Callable[[Callable[[Gate], str | None]], Callable[[Gate], str | None]]:
    """Enters a function into the table: its name is the gate's, the first line of its docstring what --list shows."""

    def enter(function: Callable[[Gate], str | None]) -> Callable[[Gate], str | None]:
        name = function.__name__.replace("_", "-")
        assert all(need in TABLE for need in needs), f"{name} needs a gate that comes later"
        TABLE[name] = Entry(name, needs, function)
        return function

    return enter


def with_needs(names: Iterable[str]) -> list[Entry]:
    wanted: set[str] = set()

    def add(name: str) -> None:
        wanted.add(name)
        for need in TABLE[name].needs:
            add(need)

    for name in names:
        add(name)
    return [entry for entry in TABLE.values() if entry.name in wanted]


def attempt(entry: Entry) -> tuple[float, str | None, Exception | None]:
    start = time.monotonic()
    current = Gate(entry)
    try:
        said, error = entry.run(current), None
    except Exception as caught:
        said, error = None, caught
    finally:
        current.log.close()
    return time.monotonic() - start, said, error


def stop_everything() -> None:
    Gate.stopping.set()
    for process in list(Gate.running):
        try:
            os.killpg(process.pid, signal.SIGTERM)
        except ProcessLookupError:
            continue


def report_failure(entry: Entry, error: Exception) -> None:
    log = BUILD / "logs" / f"{entry.name}.log"
    lines = log.read_text(errors="replace").splitlines()
    print(f"\n--- the end of {log.relative_to(ROOT)} ---")
    print("\n".join(lines[-80:]))
    print(f"--- gate {entry.name} is broken: {error}")


def run_gates(entries: list[Entry]) -> int:
    start = time.monotonic()
    waiting, done, broken = list(entries), set[str](), list[Entry]()
    futures: dict[Future[tuple[float, str | None, Exception | None]], Entry] = {}
    with ThreadPoolExecutor(2) as pool:
        while waiting or futures:
            ready = [entry for entry in waiting if not broken and all(need in done for need in entry.needs)]
            for entry in ready[: 2 - len(futures)]:
                waiting.remove(entry)
                futures[pool.submit(attempt, entry)] = entry
            if not futures:
                break
            try:
                finished = wait(futures, return_when=FIRST_COMPLETED).done
            except KeyboardInterrupt:
                stop_everything()
                raise
            for future in finished:
                entry = futures.pop(future)
                seconds, said, error = future.result()
                if error is None:
                    done.add(entry.name)
                    print(f"{'ok':8}{entry.name:20}{seconds:6.1f} s  {said or ''}", flush=True)
                elif not broken:
                    broken.append(entry)
                    print(f"{'BROKEN':8}{entry.name:20}{seconds:6.1f} s", flush=True)
                    stop_everything()
                    report_failure(entry, error)
    print(f"{time.monotonic() - start:.0f} s in all")
    if broken and waiting:
        print("not run: " + " ".join(entry.name for entry in waiting))
    print(f"gates: {len(done)} passed, {len(broken)} failed")
    return 1 if broken else 0


def main(arguments: list[str]) -> int:
    if arguments == ["--list"]:
        for entry in TABLE.values():
            print(f"{entry.name:20}{entry.summary}")
        return 0
    unknown = [name for name in arguments if name not in TABLE]
    if unknown:
        print(f"no gate {', '.join(unknown)}; .ci/run --list shows them all", file=sys.stderr)
        return 2
    return run_gates(with_needs(arguments or TABLE))
