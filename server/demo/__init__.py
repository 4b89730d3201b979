"""`archmem demo`: the main job, shown step by step on a sample."""

from server.demo.acts import play

__all__ = ["play"]
