# Was an einem Stimmzettel zweifelhaft ist, auch nach einer Rückfrage, und wie er zählt.

doubt-refuses = die Begründung lehnt { $texts } ab, was der Stimmzettel annimmt (gezählt)
doubt-refused = die Begründung lehnte { $texts } zuerst ab, was der Stimmzettel annimmt (gezählt)
doubt-opposed = er nimmt { $texts } an, wogegen sich das Mitglied in m{ $message } aussprach (gezählt)
doubt-prose = er nennt im Text { $texts } neben der Stimme (nicht gezählt)
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
