"""Documents that a panel is given: text, tables, PDF, Word, HTML, pages of the web, standard input, folders.

One file a kind: each gives the text and the places by which it is cited (`report.pdf p. 7`). `read.KINDS` lists them.
"""
