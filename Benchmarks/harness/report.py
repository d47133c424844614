"""The table that a run prints and keeps."""

import os
import platform
import time


class Row:
    """One figure against its bar."""

    def __init__(self, suite, what, value, bar="", passed=None, note=""):
        self.suite = suite
        self.what = what
        self.value = value
        self.bar = bar
        self.passed = passed
        self.note = note

    @property
    def verdict(self):
        """In one word."""
        return {True: "pass", False: "FAIL", None: ""}[self.passed]


def span(values, digits=2):
    """Least and greatest of the repeats."""
    values = [value for value in values if value is not None]
    if not values:
        return "–"
    low, high = min(values), max(values)
    if f"{low:.{digits}f}" == f"{high:.{digits}f}":
        return f"{low:.{digits}f}"
    return f"{low:.{digits}f} … {high:.{digits}f}"


class Report:
    """Rows in the order in which they came."""

    def __init__(self, versions):
        self.rows = []
        self.versions = versions
        self.began = time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime())

    def add(self, *arguments, **named):
        """Adds a row and shows it at once."""
        row = Row(*arguments, **named)
        self.rows.append(row)
        print(f"  {row.what}: {row.value}  [{row.bar}] {row.verdict} {row.note}".rstrip(), flush=True)

    @property
    def failed(self):
        """Rows under their bar."""
        return [row for row in self.rows if row.passed is False]

    def markdown(self):
        """The whole as a page."""
        lines = [
            "# Benchmark run", "",
            f"{self.began}, {os.cpu_count()} cores, {platform.platform()}, load at the end "
            f"{os.getloadavg()[0]:.1f}. " + ", ".join(f"{name} {value}" for name, value in self.versions.items())
            + ". Least … greatest of the repeats; the worst one counts.", "",
            "| suite | figure | measured | bar | verdict | note |", "|---|---|---|---|---|---|",
        ]
        lines += [
            f"| {row.suite} | {row.what} | {row.value} | {row.bar} | {row.verdict} | {row.note} |" for row in self.rows
        ]
        judged = [row for row in self.rows if row.passed is not None]
        lines += ["", f"{len(judged) - len(self.failed)} passed, {len(self.failed)} failed", ""]
        return "\n".join(lines)

    def save(self, folder):
        """Writes `latest.md` and a dated copy."""
        os.makedirs(folder, exist_ok=True)
        for name in ("latest.md", time.strftime("%Y%m%d-%H%M%S.md", time.gmtime())):
            with open(os.path.join(folder, name), "w") as file:
                file.write(self.markdown())
