two -> shop "last"
