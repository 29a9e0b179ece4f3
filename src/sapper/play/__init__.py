"""One game in time, sans I/O: what counts, what is kept and when, what is worked out for the player. Faces translate requests in and events out; a writer commits what is kept."""
