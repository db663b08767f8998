# Wo ein Mitglied zum beschlossenen Text steht, nach dem, was es erklärt hat.

stood-stance =
    { $stance ->
        [support] für
        [oppose] gegen
       *[neutral] unentschieden zu
    } { $older ->
        [joined] { $text }, den er aufnimmt
        [older] { $text }, aus dem er hervorging
       *[no] { $stance ->
            [neutral] ihm
           *[other] ihn
        }
    }{ $condition ->
        [told] , unter einer Bedingung
        [clause] , unter einer Bedingung ({ QUOTED($clause) })
        [doubt] , vielleicht unter einer Bedingung ({ QUOTED($clause) })
       *[no] {""}
    }

stood-head =
    { $older ->
        [joined] Zu diesem Text und denen, die er aufnimmt:
       *[older] Zu diesem Text und denen, aus denen er hervorging:
    }
