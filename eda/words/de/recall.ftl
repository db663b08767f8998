# Was die Suche nach Bedeutung von sich sagt.

recall-damaged = der Zusatz `embeddings` ist beschädigt: { $kind }: { $why }
recall-other-rules = { $path } wurde mit anderen Regeln gespeichert; was diese fanden, bleibt, wie es war
