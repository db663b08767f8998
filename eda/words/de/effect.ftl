# Was sich zwischen der ersten geheimen Abstimmung und der letzten unterscheidet; eine Debatte als Beleg.

effect-one-run = Eine einzige Debatte: eine andere kann anders enden.

effect-why = { $why ->
    [one-poll] es gab nur eine Umfrage
    [no-first-ballot] es gab keine erste Abstimmung
   *[not-offered] worüber am Ende abgestimmt wurde, stand vorher nicht zur Wahl
}
