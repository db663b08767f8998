# Der Stimmzettel auf der Seite.

ballot-page =
    .step-accept = Annehmen
    .step-hold = Wählen
    .step-order = Ordnen
    .step-score = Bewerten
    .step-beside = Zusätzlich
    .step-send = Abgeben
    .accept = Welche könnten Sie annehmen?
    .accept-how = Tippen Sie jeden Text an, den Sie annehmen könnten. Was Sie nicht antippen, lehnen Sie ab.
    .hold = Welchen vertreten Sie jetzt?
    .hold-how = Wählen Sie einen oder keinen. Es bleibt geheim.
    .order = Welcher zuerst?
    .order-how = Das Beste zuerst: Ziehen Sie, oder nehmen Sie die Pfeile. Was gleich bleibt, zählt gleich.
    .score = Wie gut ist jeder?
    .score-how = Von 0 bis 10.
    .beside = Zusätzlich etwas annehmen?
    .beside-how = Tippen Sie an, was außerdem gelten soll, gleich welcher Text gewinnt.
    .send = Das ist Ihre Stimme
    .not-read = Das ist als Stimme nicht lesbar
    .stands = Ihre Stimme gilt, bis Sie eine andere abgeben.
    .before-talk = Vor dem Gespräch: Was würden Sie jetzt wählen? Am Ende stimmen Sie noch einmal ab.
    .again = Während der Abstimmung hat jemand gesprochen. Deshalb stimmen alle noch einmal ab, über das, was jetzt auf dem Tisch liegt; frühere Stimmen zählen nicht.
    .accepted = Angenommen
    .refused = Abgelehnt
    .too = Gilt außerdem
    .given = mit der Frage vorgegeben
    .whole = Ganzer Text, {"{n}"} Wörter
    .wordings = {"{n}"} weitere
    .wordings-label = Andere Fassungen von {"{title}"}: {"{n}"}
    .drawn = Ihre Reihenfolge ist nur für Sie ausgelost.
    .count = {"{n}"} angenommen, {"{other}"} abgelehnt
    .empty = Enthalten: leer abgeben
    .next-order = Weiter: ordnen
    .next-score = Weiter: bewerten
    .next-beside = Weiter: zusätzlich
    .next-send = Weiter: durchlesen
    .back = Zurück
    .equal = gleich
    .up = Nach oben: {"{title}"}
    .down = Nach unten: {"{title}"}
    .join = Dem darüber gleichstellen
    .split = Nicht gleich: einen voranstellen
    .you-refuse = Sie lehnen ab
    .accept-it = Annehmen
    .accept-label = Annehmen: {"{title}"}
    .moved = {"{title}"}, jetzt an Stelle {"{n}"}
    .moved-equal = {"{title}"}, jetzt an Stelle {"{n}"}, gleich mit {"{other}"}
    .private = Niemand sieht sie, bevor alle abgestimmt haben. Sie können sie ändern, bis die letzte Stimme da ist.
    .private-first = Niemand sieht sie, bevor die Debatte endet. Sie können sie ändern, bis die letzte Stimme da ist.
    .change = Ändern
    .change-vote = Meine Stimme ändern
    .do-send = Meine Stimme abgeben
    .do-message = Keine Stimme: als Nachricht senden
    .do-send-poll = Meine Antwort abgeben
    .is-in = Ihre Stimme ist da
    .is-counted = Ihre Stimme ist gezählt
    .first-counted = Ihre erste Stimme ist gezählt
    .is-in-poll = Ihre Antwort ist da
    .until-all = Sie können sie ändern, bis alle abgestimmt haben.
    .until-talk = Sie können sie ändern, bis alle abgestimmt haben. Spricht vorher jemand, stimmen alle noch einmal ab.
    .votes-again = Alle haben abgestimmt: Diese Abstimmung vor dem Gespräch ist geschlossen, und niemand sieht sie vor dem Ende. Nach dem Gespräch stimmen Sie noch einmal ab.
    .write-opening = Jetzt eröffnen: schreiben
    .terms = Was müsste sich ändern, damit Sie zustimmen?
    .terms-how = Als das gefragt wurde, zählte von Ihnen nichts für diesen Text. Sie werden allein gefragt; dann erfahren alle Ihre Antwort.
    .terms-yes = Ich nehme ihn, wie er ist
    .terms-change = Mit dieser Änderung nähme ich ihn:
    .terms-no = Keine Änderung würde mich umstimmen
    .terms-nothing = Nichts sagen
    .show-table = Tisch zeigen
    .left = noch {"{n}"}

ballot-rank = { $equal ->
    [one] { $titles }
   *[other] { $titles }, gleich
}

ballot-read = { GIVEN($ranks) ->
    [yes] { $poll ->
        [yes] Sie vertreten: { LIST($ranks, by: "; dann ") }.
       *[no] Sie nehmen an: { LIST($ranks, by: "; dann ") }.
    }
   *[no] { $poll ->
        [yes] Sie vertreten keinen davon.
       *[no] Sie nehmen keinen davon an.
    }
}{ $poll ->
    [yes] {""}
   *[no] { GIVEN($refused) ->
        [yes] {" "}Sie lehnen ab: { LIST($refused, by: "; ") }.
       *[no] {""}
    }
}{ GIVEN($beside) ->
    [yes] {" "}Gleich was gewinnt, gilt außerdem: { LIST($beside, by: "; ") }.
   *[no] {""}
}

ballot-empty = { $poll ->
    [yes] Sie vertreten keinen davon.
   *[no] Sie geben Ihren Stimmzettel leer ab: Sie enthalten sich.
}
