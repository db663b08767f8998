# Was Befehle von Sitzungen sagen: wo sie sind, wie sie stehen, was als Nächstes einzugeben ist.

sessions-none = in { $where } ist keine Sitzung; eine beginnen: eda debate "Sollen wir ...?"; das Beispiel, das EDA mitbringt: eda show example
sessions-none-like = von { $names } Sitzungen in { $where } passt keine: gesucht wurde in Namen, Fragen, Antworten und Mitgliedern; jedes gesagte Wort: eda recall --all ...
sessions-no-acts = nichts dergleichen ist in { $where } vermerkt: Ein Server (`eda serve`) vermerkt, wer sich an- und abmeldet, eingeladen wird, kommt und geht; auch Löschungen werden vermerkt
sessions-no-message = keine Nachricht hat diese Wörter{ GIVEN($session) ->
    [yes] {" "}in { $session }; in allen Sitzungen suchen: eda recall --all ...
   *[no] {" "}in den { $names } Sitzungen in { $where }; was entschieden wurde: eda decisions ...
}
sessions-archived = { $name } ist abgelegt; zum Lesen: eda show { $typed }
sessions-ask-delete = { $place } endgültig löschen ({ $files })?
sessions-packed = { $file } geschrieben; anderswo lesen: eda import { $file }
sessions-redacted = { $name }: eine Kopie von { $session } ohne { $names } Namen
sessions-redact-left = sehen Sie nach: { $name } ({ LIST($places, by: ", ") }{ $more ->
    [0] {""}
   *[other] , und { $more } weitere
})
sessions-redact-check = lesen Sie diese Stellen, und nennen Sie jede Person mit --name; oder sagen Sie mit --checked, dass niemand darin steht. Diese Kopie löschen: eda delete { $typed }
sessions-imported = { $name } eingelesen; zum Lesen: eda show { $typed }
sessions-imported-talk = { $new } eingelesen: { $number ->
    [one] { $number } Nachricht
   *[other] { $number } Nachrichten
}; zum Lesen: eda show { $typed }
sessions-read-it = zum Lesen: eda show { $typed }
sessions-left-out = { $name } ist ausgelassen: { $error }
sessions-unfinished = nicht beendet; weiter mit: eda resume { $typed }
sessions-ended = { $name } ist beendet ({ $why }): was jetzt hinzukommt, ändert keine Stimme
sessions-steered = { GIVEN($ends) ->
    [yes] die Aussprache endet sofort ({ $ends }); weiter mit: eda resume { $typed }
   *[no] weiter mit: eda resume { $typed }
}
sessions-made-late = die Debatte war zu Ende ({ $ended }), aber ihr Bericht fehlte; jetzt ist er geschrieben: eda report { $typed }
sessions-no-prose = Hinweis: kein Modell wählte die Zitate des Berichts: { $failed }
sessions-report-runner = Tipp: eda report { $typed } --runner { $spec }
sessions-no-side = noch keine Nebennachrichten; ein Mitglied fragen: eda ask { $typed } NAME
sessions-corrected = { $how ->
    [struck] { $item } ist gestrichen
    [beside] { $item } bleibt, wie es beschlossen ist; Ihre Worte stehen als { $version } daneben, für die nächste Abstimmung
   *[corrected] { $item } ist berichtigt
}; ansehen: eda show { $session }
sessions-no-notes = keine Notizen; eine schreiben: eda edit { $session } --note "..."
sessions-note-kept = { $sort ->
    [private] aufbewahrt, privat, Wichtigkeit { $importance }; alle zeigen: eda show { $session } --notes
   *[other] aufbewahrt, Wichtigkeit { $importance }; alle zeigen: eda show { $session } --notes
}
sessions-did-you-mean = Meinten Sie { LIST($close, by: " oder ") }?
sessions-help = `{ $path } --help` zeigt die Optionen.

sessions-column =
    .session = Sitzung
    .question = Frage
    .state = Stand
    .verdict = Ergebnis
    .margin = Abstand
    .members = Mitglieder
    .messages = Nachrichten
    .cost = Kosten
    .from = aus
    .date = Tag
    .played = gespielt
sessions-back = { $name } ist wieder da
sessions-renamed = { $name } heißt jetzt { $typed }
sessions-stays = { $name } bleibt
sessions-deleted = { $name } ist gelöscht
