# Was `eda show --prompt` von der Größe einer Anfrage sagt.

context-tokens = { $tokens } Tokens; was das Gedächtnis hinzufügt, darf { $budget } umfassen
context-measured = geschätzt nach dem, was { $calls } Aufrufe meldeten; Abweichung { NUMBER($error, style: "percent") }

context-estimated = geschätzt, vier Zeichen sind ein Token: noch kein Aufruf hat seine Tokens gemeldet
