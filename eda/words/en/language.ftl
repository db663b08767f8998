# What belongs to the language itself.

# The language's own name.
language-name = English

# Quotation marks, and those inside them.
language-quotes = “” ‘’
