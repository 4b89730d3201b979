"""Measurements: each module prints what it measured; none is a test."""
