"""Runs the files of tests two at a time, since a browser waits more than it works: `files.py FOLDER`."""

import os
import pathlib
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

AT_ONCE = int(os.environ.get("REJOIN_TEST_BROWSERS", "2"))


def run(file):
    """Runs one file; what it wrote, whether it passed, and how long it took in seconds."""
    start = time.monotonic()
    command = [sys.executable, "-B", "-m", "unittest", "discover", "-s", str(file.parent), "-p", file.name]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return file.name, done.stdout, done.returncode == 0, time.monotonic() - start


def main():
    """Prints each file's report when it is whole; 1 if a test failed."""
    # Large files first, so that none is left over at the end.
    files = sorted(pathlib.Path(sys.argv[1]).glob("test_*.py"), key=lambda file: -file.stat().st_size)
    passed = True
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for name, report, is_passed, seconds in pool.map(run, files):
            print(f"{name}: {seconds:.0f} s\n{report}", flush=True)
            passed = passed and is_passed
    return 0 if passed else 1


sys.exit(main())
