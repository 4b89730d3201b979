"""What a client's hooks ask: a briefing at a session's start, warnings before an edit, a report at its end."""
