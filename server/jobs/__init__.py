"""Jobs that a server runs by itself, one a module; of several servers on a store, one runs each."""
