# Was das Verfahren festhält, sagt und als Grund nennt.

procedure-off-the-ballot = { $who } schlug vor: { $text } Das steht nicht auf dem Stimmzettel: die Optionen sind fest vorgegeben.
procedure-no-room = Auf dem Stimmzettel ist kein Platz für diese Anträge, die am wenigsten unterstützt werden: { LIST($ids, by: ", ") }.
procedure-nothing-offered = { $own ->
    [yes] nur eigene Vorschläge standen
   *[no] kein Text, den das Mitglied gehört hat, stand
} zur Wahl
procedure-short = Hinweis: die Debatte darf { $more ->
    [yes] noch { $most } Nachrichten
   *[no] { $most } Nachrichten
} haben, davon gehören { $talk } der Aussprache: { $few ->
    [yes] nur { $openings } von { $members } Mitgliedern { $openings ->
        [one] eröffnet
       *[other] eröffnen
    } die Debatte{ $closing ->
        [yes] {""}
       *[no] {" "}und niemand hat ein Schlusswort
    }
   *[no] niemand hat ein Schlusswort
}. Mit --max-messages { $needed } ist Platz für alle
