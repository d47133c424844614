"""Tests of the harness: `python3 -m unittest discover -s Benchmarks -t Benchmarks`."""
