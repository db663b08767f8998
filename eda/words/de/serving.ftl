# Was ein Server von Debatten antwortet, und was eine Debatte von Werkzeugen und Spannen sagt.

serving-large = eine Anfrage hat höchstens { $most } Byte
serving-no-prose = kein Modell schrieb die Prosa des Berichts: { $why }
serving-failed = { $who } { $purpose ->
    [speak] konnte nicht sprechen
   *[other] antwortete nicht ({ $purpose })
}: { $error }
serving-spans-lost = Warnung: { $number ->
    [one] { $number } Spanne ließ
   *[other] { $number } Spannen ließen
} sich nicht an { $address } senden: { $why }
serving-verdict = { $outcome ->
    [yes] Ergebnis: { GIVEN($won) ->
        [yes] { $won }
       *[no] siehe Tabelle
    }
   *[no] Kein Ergebnis
}
serving-moderator = Gesprächsleitung: { $text }
serving-goes-on = Die Debatte geht weiter
serving-seat = { $who }: { $change ->
    [muted] darf nicht sprechen
    [unmuted] darf wieder sprechen
    [added] kommt dazu
    [replaced] wird ersetzt
   *[removed] verlässt das Gremium
}

serving-alternatives = Die Frage nennt Alternativen, und Optionen wurden nicht gegeben: { LIST($options, by: "; ") }. Um über sie abzustimmen, gib sie als Optionen.
