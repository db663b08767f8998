recall-other-rules = { $path } wurde mit anderen Regeln gespeichert; was diese fanden, bleibt, wie es war
