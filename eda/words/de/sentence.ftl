# Was im Protokoll einem Satz widerspricht.
sentence-why = { $kind ->
    [author] m{ $message } ist von { LIST($who, by: ", ") }
    [mover] { $text } ist von { LIST($who, by: ", ") } (m{ $message })
    [deed] { LIST($who, by: ", ") } { sentence-deed } { $text } (m{ $message })
    [no-deed] nicht im Protokoll: { GIVEN($who) ->
        [yes] { LIST($who, by: ", ") }
       *[no] jemand
    } { sentence-deed } { $text }
    [origin] { $text } kommt von { GIVEN($of) ->
        [yes] { LIST($of, by: ", ") }
       *[no] keinem anderen Text
    }
    [ballot] { GIVEN($who) ->
        [yes] auf dem Stimmzettel taten das nur { LIST($who, by: ", ") }
       *[no] auf keinem Stimmzettel
    }
    [votes] { GIVEN($who) ->
        [yes] { LIST($who, by: ", ") } von { $number } nehmen { $text } an
       *[no] niemand von { $number } nimmt { $text } an
    }
    [moved] { LIST($who, by: ", ") } nennt { $message ->
        [0] keine Wortmeldung
       *[other] m{ $message }
    } als Grund für die Stimme
    [order] { $text } steht bei m{ $message }, { LIST($of, by: ", ") } bei m{ $number }
    [outcome] { GIVEN($text) ->
        [yes] die Abstimmung entschied für { $text }
       *[no] keine Abstimmung hat etwas entschieden
    }
    [words] nicht im Protokoll: { QUOTED($text) }
    [quote] m{ $message } sagt das nicht
    [unsaid] nichts daneben sagt, was er über { LIST($of, by: ", ") } behauptet
    [dissent] { LIST($who, by: ", ") } nimmt an, was entschieden wurde
   *[no-such] { $text } gibt es nicht
}
sentence-deed = { $deed ->
    [put] schlug vor:
    [support] war für
    [oppose] war gegen
    [neutral] war unentschieden zu
    [withdraw] zog zurück:
    [vote] stimmte ab über
    [block] blockierte
    [amend] änderte
   *[join] vereinte
}

sentence-false = { LIST($why, by: "; ") }: { $sentence }

sentence-dropped = { $count ->
    [one] eine Aussage stimmte nicht mit dem Protokoll überein
   *[other] { $count } Aussagen stimmten nicht mit dem Protokoll überein
}
