"""Other memory systems beside archmem: the same facts, the same questions, the same run."""
