vote-ballot = { $who }: { $told }
vote-before = vorher: { $verdict }
vote-same = Kein neuer Stimmzettel zählt, das Ergebnis bleibt: { $verdict }
vote-now = jetzt: { $verdict }

vote-typed = { $who }, Ihr Stimmzettel{ GIVEN($wrong) ->
    [yes] { " " }war nicht lesbar: { $wrong }
   *[no] { "" }
}. Die Kennungen der Texte, die Sie annehmen, der beste zuerst, oder none, oder abstain. Die Eingabetaste lässt ihn, wie er war:

vote-left = { $who }: der Stimmzettel bleibt, wie er war

vote-stands = Das erste Ergebnis bleibt verzeichnet.{ $report ->
    [yes] { " " }Der Bericht gilt jenem; ein neuer: eda report { $session }
   *[no] { "" }
}
