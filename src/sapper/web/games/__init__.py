"""Players' games on the web: messages, registry, reviews, what is kept and for how long."""
