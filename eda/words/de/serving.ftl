# Was ein Server von Debatten antwortet, und was eine Debatte von Werkzeugen und Spannen sagt.

serving-large = eine Anfrage hat höchstens { $most } Byte
serving-no-json = die Anfrage ist kein JSON
serving-not-done = nicht getan: { $why }
serving-nothing = 0 $, denn kein Modell wird gefragt
serving-no-prose = kein Modell wählte die Zitate des Berichts: { $why }
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
serving-moderator = Gesprächsleitung: { $why ->
    [together] Das Gespräch ist zum größten Teil vorbei. Jetzt ist Zeit für einen Text, den die meisten unterschreiben könnten.
   *[other] { $text }
}
serving-host = die Gastgeber
serving-setting = { $name }: { GIVEN($value) ->
    [yes] { $value }
   *[no] keine Grenze
}
serving-settings = die Einstellungen wurden geändert
serving-ballot = Abstimmung
serving-goes-on = Die Debatte geht weiter
serving-seat = { $who }: { $change ->
    [muted] darf nicht sprechen
    [unmuted] darf wieder sprechen
    [added] kommt dazu
    [replaced] wird ersetzt
   *[removed] verlässt das Gremium
}

serving-alternatives = Die Frage nennt Alternativen, und Optionen wurden nicht gegeben: { LIST($options, by: "; ") }. Abgestimmt wird über sie, wenn sie als Optionen gegeben werden.
serving-progress =
    .message = { $id } { $who } sagt: { $text }
    .phase = Jetzt: { $phase }.
    .vote = { $came ->
        [unreadable] Der Stimmzettel von { $who } war nicht lesbar.
        [missing] Von { $who } kam kein Stimmzettel.
       *[voted] { $who } hat abgestimmt.
    }
serving-vote =
    .ids = Welche zuerst? Nur Buchstaben oder Kennungen, den besten zuerst: B > A, mit B = A für gleich gute. „keinen“ nimmt keinen an; leer enthält sich.
    .poll = Ein Buchstabe, eine Kennung oder die Worte. Leer steht für keine davon.
    .ballot = Die Texte, die Sie annehmen, der beste zuerst, mit Buchstabe oder Kennung (B > A), oder die Worte von einem. { $also ->
        [yes] „auch C“ nennt, was zusätzlich gelten soll;{" "}
       *[no] { "" }
    }„keinen“ nimmt keinen an; leer enthält sich.
    .scores = Buchstaben oder Kennungen mit Punkten von 0 bis 10 (B 7, A 2). „keinen“ nimmt keinen an; leer enthält sich.
serving-prompt = { GIVEN($question) ->
    [yes] Lass ein Gremium über diese Frage beraten: { $question }
   *[no] Lass ein Gremium über die Frage beraten, um die es gerade geht. Fasse sie in einen Satz, als Wahl.
}

    Nimm das Werkzeug `debate` des Servers `eda`.
    - Gib als `options` die zwei bis vier möglichen Antworten an, wenn sie bekannt sind.
    - Gib als `text` an, was die Mitglieder wissen müssen: was wir gefunden haben, und die Stellen der Dateien, die für die Frage zählen, jede mit Pfad und Zeilennummern.
    - { GIVEN($panel) ->
    [yes] Gib { $panel } als `panel` an.
   *[no] Wähle ein `panel`, das zur Frage passt.
}
    - Frag mich, ob ich mit abstimmen will. Wenn ja, gib meinen Namen als `person` an.

    Sag mir dann die Antwort, wer dagegen ist und warum, und was sie ändern würde. Nenne jeweils die Nachricht (m3).
    .about = Eine Beratung über die Frage und die Dateien, um die es geht
serving-refused =
    .other-name = dieser Server heißt anders
    .other-page = das kann nur eine Seite dieses Servers
serving-open = öffnen: { $url }
serving-stop = Strg-C beendet den Server
