"""What German reasons with a figure, a time or a "wenn" state: a condition is never lost, and most reasons are none."""

import pytest
from in_turn import in_one

from eda import read_condition

CONDITIONS = [
    "wenn die Gemeinde den Strom bezahlt",
    "nur wenn jemand den Schlüssel verwaltet",
    "sofern der Boden trocken bleibt",
    "sobald der Vermieter unterschrieben hat",
    "ich bin dafür, wenn wir vor zehn fertig sind",
    "wenn es keinen Lärm nach acht gibt, stimme ich zu",
    "falls die Kasse reicht",
    "solange niemand draufzahlt",
    "bis ein zweiter Fahrer gefunden ist, bleibe ich bei einem Vielleicht",
    "vorausgesetzt, die Leitung hält",
    "unter der Bedingung, dass Eva den Schlüssel bekommt",
    "es sei denn, der Bus fährt nicht mehr",
    "wenn das Zelt da ist, mache ich mit",
    "mein Ja gilt, wenn ein Name dabeisteht",
    "ich trage es mit, solange die Küche abends frei bleibt",
    "bis 18 Uhr muss aufgeräumt sein, sonst bin ich raus",
    "wenn jemand die Kinder bringt, bin ich dabei",
    "erst wenn die Rechnung da ist",
    "ja, wenn die Miete bleibt",
    "ja, aber nur bis Ende Mai",
    "zuerst das Gutachten, dann mein Ja",
    "ohne Deckel keine Zustimmung",
    "wenn wir die Tonnen selbst streichen, kann ich damit leben",
    "wenn der Hof bis neun leer ist, habe ich nichts dagegen",
    "wenn um drei jemand aufschließt, ist mir alles recht",
    "bis 40 Euro zahle ich mit",
    "bis 20 Leute ja, darüber nein",
    "bis 22 Uhr bin ich dafür, danach nicht",
    "wenn die Bank zahlt und der Hof trocken ist, stimme ich zu",
    "und wenn keiner putzt, bin ich weg",
    "Es ist hell dort. Wenn einer abschließt, ja.",
    "wenn es im August stattfindet, unterschreibe ich",
    "wenn jeder einen Kuchen bringt, reicht es mir",
    "wenn Jule kocht, stimme ich dafür",
    "sofern es bis acht ruhig bleibt, gern",
    "wenn mir jemand beim Tragen hilft, bin ich beim Saal dabei",
    "nur mit einem Dach",
    "wenn der Preis unter 300 bleibt, ist das mein Vorschlag",
    "es muss aber vorher jemand messen, wenn wir das machen",
    "bis zum Herbst muss der Zaun stehen, dann ja",
    "wenn die Pumpe bis Mai läuft, soll es mir recht sein",
    "bis ein Dach da ist, stimme ich nicht zu",
    "bis 30 Gäste nehme ich das an",
    "wenn der Verein haftet, spricht nichts dagegen",
    "wenn die Kinder mitmachen dürfen, gefällt mir das",
    "wenn wir einen Kühlschrank haben, geht das",
    "wenn wir früh anfangen, wird das gut",
    "wenn es nicht regnet, passt das",
    "bis drei Helfer zusagen, warte ich",
    "wenn ich nicht fahren muss, ist das gut so",
    "Ich bin dafür; wenn die Bank nicht zahlt, ziehe ich zurück",
    "Ja; wenn der Zaun fehlt, fehlt auch mein Ja",
    "Der Keller ist hell; wenn die Bank zahlt, bin ich dabei",
    "Der Keller ist hell; wenn die Bank zahlt",
    "Ich bin dafür; wenn die Bank zahlt",
    "Ich stimme zu; wenn die Bank zahlt, gern",
    "Der Keller ist hell; wenn die Bank zahlt, unterschreibe ich",
    "bis 50 Gäste dürfen kommen",
    "bis 50 Gäste gehen in Ordnung",
    "bis 30 Gäste stimmen wir zu",
    "bis 30 Gäste machen wir das",
    "bis 300 Euro kosten mich meine Stimme",
    "bis 60 Dezibel bleiben nur Gespräche",
    "bis 50 Gäste tragen das mit",
    "bis 40 Euro gehen mit mir",
    "bis 50 Gäste sollen kommen dürfen",
    "ich wäre bis 20 Uhr dabei",
    "ich hätte bis 20 Uhr keinen Einwand",
    "ich war bis gestern dagegen",
    "wir hatten bis 20 Uhr gesagt, sonst nein",
    "ich war dafür, bis die Miete stieg",
    "mein Ja war bis Mai gedacht",
    "I am for it; if the bank pays, I sign",
    "The yard is wide; if the bank pays, fine",
    "Ada is right; if nobody pays, I am out",
    "I support it; when the fence stands, the path floods less",
    "mit Licht bis 20 Uhr",
    "Ruhe und Ordnung sind bis 20 Uhr Pflicht",
    "ja und danke bis 20 Uhr",
    "bis 50 Gäste fest zugesagt haben",
    "bis 50 Gäste zusammen einen Stuhl bringen",
    "bis 20 Kinder fest angemeldet sind",
    "bis 300 Euro fest in der Kasse sind",
    "sobald 50 Gäste fest zugesagt haben",
    "wenn 50 gäste kommen dann gern",
    "wenn 50 gäste kommen dann machen alle mit",
    "wenn 50 Gäste kommen, geht alles gut",
    "nachdem 50 Gäste unten gesessen haben",
    "bis 12 Helfer gefunden werden konnten",
    "bis 12 Helfer jeden Abend hier stehen",
    "bis 12 Helfer halten sich bereit, dann ja",
    "bis 12 Gäste sitzen drinnen, mehr nicht",
]
REASONS = [
    "bis 50 Gäste finden alle einen Stuhl",
    "bis 19 Uhr da, und wenn die Kleinen toben, hört man sie nicht",
    "wenn ich um vier losfahre, zählt jede Viertelstunde",
    "wenn es regnet, stehen dort achtzig Leute trocken",
    "bis zu 60 Räder passen in den Keller",
    "bis sechs Uhr ist dort niemand",
    "wenn die Sonne auf das Blech scheint, wird es darunter heiß",
    "bis Mitternacht Licht und eine Toilette",
    "wenn jemand stürzt, ist das Krankenhaus gegenüber",
    "wenn die Kinder schlafen, hört man jedes Wort durch die Wand",
    "bis 17 Uhr offen, und wenn einer später kommt, hat der Hausmeister einen Schlüssel",
    "wenn der Wind von Westen kommt, riecht man die Ställe",
    "bis zehn Uhr abends fährt die Linie vier",
    "wenn es dunkel wird, brennt dort eine Lampe",
    "wenn es kalt ist, heizt der Ofen den Raum in zehn Minuten",
    "wenn zwanzig Leute kochen, fliegt die Sicherung heraus",
    "wenn das Eis bricht, steht das Wasser auf dem Weg",
    "die Halle ist warm, auch wenn sie alt ist",
    "weil man bis 20 Uhr parken darf",
    "bis 100 Meter weit hört man die Glocke",
    "bis halb neun sitzt man dort in der Sonne",
    "wenn die Kühltruhe läuft, flackert das Licht",
    "bis 25 Leute braucht man keine Anmeldung",
    "wenn Schnee liegt, räumt die Gemeinde den Weg zuerst",
    "bis 9 Uhr ist der Hof leer, und wenn geliefert wird, steht der Wagen vorn",
    "wenn eine Tonne umfällt, läuft nur eine aus",
    "wenn ich mit dem Rollator komme, zählt jede Stufe",
    "Als wir 2021 um neun anfingen, saßen alle im Flur; bis 50 Gäste finden alle einen Stuhl.",
    "Licht und Wasser sind bis 22 Uhr da, und wenn die Hunde bellen, weckt es keinen auf dem Friedhof.",
    "Adas Fahrplan überzeugt mich; wenn ich um vier losfahre, zählt jede Minute.",
    "Als meine Neffen 2023 dort zelteten, hatten sie bis neun Uhr Licht.",
]


@in_one("words", CONDITIONS)
def test_a_condition_is_one_or_is_asked_about(words: str) -> None:
    """Who wants something first would be shown as for the text whatever comes."""
    assert read_condition(words, "support").conditional is not False


@in_one("words", REASONS)
def test_a_reason_with_a_time_or_a_measure_is_not_asked_about(words: str) -> None:
    """Each such support was in doubt, counted for nobody, and cost its author a question."""
    assert read_condition(words, "support").conditional is False


@pytest.mark.parametrize(
    "words",
    [
        "wenn es im Juli schwül ist, backe ich drei Bleche weniger",
        "wenn ich Spätschicht habe, komme ich erst um neun",
        "wenn das Zelt da ist, mache ich mit",
    ],
)
def test_what_is_in_doubt_is_quoted_with_the_main_clause_that_shows_what_it_is(words: str) -> None:
    """ "Wenn ich Spätschicht habe" alone reads as a condition, and its author was asked about that."""
    assert read_condition(words, "support").told == words
