"""Who finds the elements that a task is about."""
