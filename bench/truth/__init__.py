"""The benchmark of truth: which memories stopped being true, and which of them each judge would have doubted."""
