# $path: a saved memory.
recall-other-rules = { $path } was saved by other rules; what they found stays as it was
