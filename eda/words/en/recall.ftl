# What search by meaning says of itself. $kind and $why: of the error.

recall-damaged = the extra `embeddings` is damaged: { $kind }: { $why }
# $path: a saved memory.
recall-other-rules = { $path } was saved by other rules; what they found stays as it was
