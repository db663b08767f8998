# Was an einem Stimmzettel zweifelhaft ist, auch nach einer Rückfrage, und wie er zählt.

doubt-refuses = die Begründung lehnt { $texts } ab, was der Stimmzettel annimmt (gezählt)
doubt-refused = die Begründung lehnte { $texts } zuerst ab, was der Stimmzettel annimmt (gezählt)
doubt-opposed = er nimmt { $texts } an, wogegen sich das Mitglied in m{ $message } aussprach (gezählt)
doubt-prose = er nennt im Text { $texts } neben der Stimme (nicht gezählt)
doubt-abstains = er enthält sich und will doch { $texts } neben der Antwort (nicht gezählt)
doubt-answer = er nennt { $texts } neben einer Antwort, wo keine Option stehen kann (nicht gezählt)
doubt-none = er nimmt keinen der Texte an und führt doch welche auf (als Stimme für keinen gezählt)
doubt-unknown = er nennt { QUOTED($words) }, was kein Text des Stimmzettels ist (weggelassen)
doubt-denied = wo er { QUOTED($words) } sagt, verneint er { $texts } (weggelassen)
doubt-condition = wo er { QUOTED($words) } sagt, nennt er { $texts } unter einer Bedingung (weggelassen)
doubt-sense = wo er { QUOTED($words) } sagt, ist nicht klar, ob { $texts } gemeint ist (weggelassen)
doubt-several = wo er { QUOTED($words) } sagt, nennt er zugleich { $texts } (weggelassen)
doubt-twice = er nennt { $texts } zweimal (einmal gezählt)
doubt-list = eine Liste darin ist nicht lesbar (weggelassen)
doubt-all = { LIST($doubts, by: "; ") }

doubt-ballot = Unklar: { $told }.

doubt-asked = { $kind ->
    [refuses] die Begründung lehnt { $texts } ab, was der Stimmzettel annimmt: lassen Sie { $texts } in `ranking` weg, oder schreiben Sie in die Begründung, dass Sie es annehmen
    [refused-at-first] die Begründung lehnte zuerst { $texts } ab, was der Stimmzettel annimmt: lassen Sie { $texts } in `ranking` weg, oder schreiben Sie in die Begründung, dass Sie es annehmen
    [opposed] der Stimmzettel nimmt { $texts } an, wogegen Sie in { $at } waren
    [none-but-lists] `choice` ist none, was jeden Text ablehnt, aber es sind Texte aufgeführt: setzen Sie den besten als `choice`, oder führen Sie keinen auf
    [abstains-beside] der Stimmzettel enthält sich, also zählt sein `also` ({ $texts }) nicht: nehmen Sie einen Text an oder `none`, dann zählt es, oder enthalten Sie sich und lassen Sie `also` leer
    [answer-beside] `also` nennt { $texts }: Eine Option oder eine Fassung davon kann die Antwort sein und neben keiner anderen stehen
    [twice] `{ $field }` nennt { $one } zweimal
    [no-list] `{ $field }` muss eine Liste von Texten sein
    [not-in-words] `{ $field }` muss Texte in Worten nennen
    [abstains-and-votes] der Stimmzettel enthält sich und stimmt zugleich ab
    [no-truth-value] `{ $field }` muss true oder false sein
    [not-first] `choice` ist { $one }, was nicht an der ersten Stelle von `ranking` steht: { $rest }
    [blocked-and-approved] `blocked` und `approved` nennen denselben Text
    [choice-left-out] `approved` lässt { $one } weg, die Wahl
    [no-choice] die Antwort nennt keinen Text, den sie annimmt, und weder `none` noch `abstain`
    [several-choices] `choice` nennt { $count } Texte: { $one }, { $rest }
    [no-scores] der Stimmzettel hat keine `scores` von 0 bis 10, und die werden gezählt
    [scores-unreadable] `scores` muss jedem Text eine Zahl geben
    [score-out-of-range] die Punkte für { $one } müssen eine Zahl von 0 bis 10 sein
    [scores-unsaid] der Stimmzettel nennt Zahlen und sagt nicht, welche Texte sie annehmen
    [no-order] es ist nicht klar, in welcher Reihenfolge der Stimmzettel { $texts } annimmt, oder ob sie gleichauf sind
    [other-words] { GIVEN($one) ->
        [yes] er nennt { LIST($texts, by: ", ") }; {""}
       *[no] {""}
    }es ist nicht klar, was { GIVEN($told) ->
        [yes] { $told }
       *[no] die Antwort
    } annimmt oder ablehnt
    [two-votes] der Stimmzettel stimmt auf zwei Arten ab
    [question] der Stimmzettel fragt etwas zu { $texts }
   *[named] { GIVEN($field) ->
        [yes] in `{ $field }` steht { $told }, und das
       *[no] { $kind ->
            [unknown] { GIVEN($one) ->
                [yes] { $one }
               *[no] die Antwort
            }
           *[read] { GIVEN($told) ->
                [yes] { $told }
               *[no] die Antwort
            }
        }
    }{ $kind ->
        [on-a-condition] {" "}nennt { $one } unter einer Bedingung oder mit einem Zweifel
        [another-sense] {" "}verneint, was { $one } sagt, oder lässt weg, was das verneint
        [two-texts] {" "}kann { LIST($titled, by: " oder ") } meinen: nennen Sie den gemeinten Text mit seiner Kennung
        [several-texts] {" "}kann { LIST($titled, by: " oder ") } meinen: nennen Sie jeden, den Sie annehmen, mit seiner Kennung, den besten zuerst
        [no-vote] {" "}spricht von { $one }, ohne dafür zu stimmen
       *[unknown] { GIVEN($ended) ->
            [yes] {" "}ist nicht mehr offen ({ $ended }) und keiner der Texte, über die abgestimmt wird
           *[no] {" "}ist keiner der Texte, über die abgestimmt wird
        }
    }
}
doubt-open = { $none ->
    [yes] { LIST($ids, by: ", ") } oder 'keinen'
   *[no] { LIST($ids, by: ", ") }
}
