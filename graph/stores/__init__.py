"""Stores: one port in the words of the domain, and the stores that keep it."""
