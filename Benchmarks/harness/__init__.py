"""Runs the peers, the load and the checks of the benchmarks; see docs/benchmarks.md."""
