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
