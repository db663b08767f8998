# Warum die Datei eines Ablaufs nicht gespielt werden konnte.

agenda-same-name = Phase '{ $name }': eine andere Phase hat denselben 'name'
agenda-polls = die Regel '{ $rule }' braucht eine Umfrage davor und eine danach, und keinen Stimmzettel
agenda-phase = Phase '{ $name }': { $fault }
agenda-first = Phase '{ $name }': eine Phase der Art '{ $kind }' kommt vor allen anderen
agenda-open-only = '{ $name }' gehört in eine Phase der Art 'open', diese ist von der Art '{ $kind }'
agenda-no-speech = 'instruction' gehört in Phasen, in denen Mitglieder sprechen, diese ist von der Art '{ $kind }'
agenda-slot-unknown = 'instruction' hat den unbekannten Platzhalter '{ $slot }'; es gibt { LIST($slots, by: ", ") }
agenda-slot = 'instruction' hat den Platzhalter '{ $slot }', aber { $lacks ->
    [side] der Ablauf hat keine 'sides'
    [statistics] keine Phase ist von der Art 'poll'
   *[blocks] keine Phase hat 'until' = 'unblocked'
}
agenda-until = 'until' = '{ $until }' gehört in eine Phase der Art '{ $wanted }', diese ist von der Art '{ $kind }'
agenda-back-to = 'back_to' = '{ $phase }' ist keine Phase davor; davor { GIVEN($names) ->
    [yes] stehen: { LIST($names, by: ", ") }
   *[no] steht keine
}
agenda-in-vain = zwischen '{ $phase }' und hier spricht niemand, ein Rücksprung würde also nichts ändern
