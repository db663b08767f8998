# Was von einem aufgezeichneten Gespräch übrig blieb, als es gelesen wurde.

transcripts-left-out = aus { $name } (als { $kind } gelesen) ausgelassen: { LIST($parts, by: ", ") }
transcripts-skipped = { $rows } aus { $name } (als { $kind } gelesen) übersprungen, weil nicht lesbar:
transcripts-no-speaker = { $name } nennt bei { $number ->
    [one] { $number } Nachricht
   *[other] { $number } Nachrichten
} niemanden, der spricht: dort steht `unknown`
transcripts-cut = { $number ->
    [one] { $number } Nachricht
   *[other] { $number } Nachrichten
} aus { $name } auf { $most } Zeichen gekürzt
transcripts-no-json = ist kein gültiges JSON: { $why }
transcripts-id-twice = die Kennung { $id } kommt in { $talk } zweimal vor
transcripts-no-field = hat das Feld { $field } nicht
transcripts-few-columns = hat { $there } von { $of } Spalten
transcripts-no-row = ist keine Zeile einer Tabelle: { $why }
transcripts-part-without-text = Teil ohne Text ({ $kind })
transcripts-message-without-text = Nachricht von { $role } ohne Text
transcripts-ids-twice = Gruppe von Kennungen, die zweimal vorkommen ({ $talk })
