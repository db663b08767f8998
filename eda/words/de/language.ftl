# Was zur Sprache selbst gehört.

# Der Name der Sprache in ihr selbst.
language-name = Deutsch

# Anführungszeichen, außen und innen.
language-quotes = „“ ‚‘

language-spoken =
    .language = German
    .ifs = "wenn", "falls" or "sofern"
