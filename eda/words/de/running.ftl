# Was `eda debate` und `eda resume` rund um eine Debatte sagen.

running-no-model = { GIVEN($local) ->
    [yes] Auf diesem Rechner antwortet ein Modell: --runner { $local }. Oder setzen Sie
   *[no] { GIVEN($keyed) ->
        [yes] Für einen anderen Anbieter ist ein Schlüssel gesetzt: --runner { $keyed }. Oder setzen Sie
       *[no] Setzen Sie
    }
} einen Schlüssel und nennen Sie ein Modell (`eda list runners` nennt sie). Eine aufgezeichnete Debatte zeigt `eda show example`. Mit erfundenen Antworten läuft das Programm mit --runner simulated.
running-in-part = Hinweis: { LIST($names, by: ", ") } { $number ->
    [one] ist
   *[other] sind
} zu lang für eine Anfrage: Mitglieder bekommen nur die Stellen, die zur Aussprache gehören, und können andere nachschlagen.
running-own-models = Hinweis: `model:` einer Persona gilt nur bei Sprachmodellen, bei `{ $spec }` nicht: { LIST($models, by: ", ") }
running-stopped = angehalten nach m{ $message }; gespeichert: { $session }; weiter mit: { $resume }
running-nobody = Fehler: niemand sprach und niemand stimmte ab, ein Ergebnis des Gremiums ist das also nicht; sehen Sie nach, bei wem was fehlschlug
running-report = Bericht: eda report { $typed }
running-page = Seite zum Weitergeben: { $page }
running-none-kept = keine Sitzung bleibt, denn kein Aufruf wurde beantwortet; derselbe Befehl beginnt von vorn
running-on = gespeichert: { $session }; weiter mit: { $resume }

running-no-price = Warnung: der Preis von { $model } ist unbekannt: --budget lässt sich nicht einhalten, --budget-tokens schon
running-strangers = Hinweis: Diese Sitzung wurde nicht hier gemacht. Geht sie weiter, wird { $runner } gefragt; Redeordnung { $floor }, Regel { $rule }
running-strangers-holds = Hinweis: Werkzeuge: { LIST($tools, by: ", ") }; Unterlagen: { LIST($documents, by: ", ") }
running-talk-question = Was soll aus dem werden, was bisher gesagt wurde?
running-ask-trust = Ihr vertrauen und weitermachen?
running-empty-seat = Hinweis: der Platz von { $title } bleibt leer; wieder einnehmen: --human { $typed }
running-forked = { $session } ist von { $parent } abgezweigt; ändern: eda steer { $typed }; weiter: eda resume { $typed }
running-forked-sound = { $damage }. Die neue Sitzung hat, was vor dieser Zeile steht, und nichts danach
running-answer-left-out = ausgelassen: was { $who } später zur Lesart von m{ $number } sagte
running-files-left-out = ausgelassen: { $number ->
    [one] 1 weitere Datei
   *[other] { $number } weitere Dateien
}
running-alternatives = In der Frage gefunden: { LIST($options, by: "; ") }. Als Optionen nehmen?
running-as-options = Hinweis: um über die Alternativen in der Frage abzustimmen: { $options }
running-hurried = Die Eingabetaste zeigt den Rest sofort; Strg-C hält an
running-not-begun = angehalten, bevor es begann; nichts wurde gespeichert
running-no-writer = angehalten: der Bericht entsteht ohne Modell

# How a question at a terminal is answered; $default: yes where nothing typed is a yes.
running-yes-no = { $default ->
    [yes] { "[J/n]" }
   *[no] { "[j/N]" }
}

running-yes-or-no = Bitte antworten Sie mit ja oder nein.
