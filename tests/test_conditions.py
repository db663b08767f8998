"""Whether the words behind a move state a condition; and what a support under one counts for."""

import re
import time

import pytest
from folded import debated, lines_of
from in_turn import in_one

from eda import ConditionRead, MessagePosted, read_condition
from eda.debate.line_reader import as_moves, with_line
from eda.debate.prompts.slots import on_closed_texts, untagged
from eda.debate.prompts.texts import Prompts
from eda.debate.prompts.withdrawals import taken_back
from eda.debate.state import DebateState
from eda.events import LineRead
from eda.events.acts import Unread
from eda.events.records import Move
from eda.memory import ConversationMemory
from eda.memory.context.acts import act_line
from eda.memory.minutes.model_minutes import Quoted
from eda.memory.minutes.motions import table_rows
from eda.memory.minutes.remarks import read_remark
from eda.memory.patterns.conditions import takes_side
from eda.report.say_back import say_back
from eda.words import ENGLISH

CONDITIONS = [
    "if the town pays - it saves a walk",
    "ja dazu, wenn morgens ein Schild am Tor hängt",
    "nur unter der Bedingung, dass ein Schild am Tor hängt",
    "nur dann, wenn der Zaun steht, und keinen Tag früher",
    "das hat meine Stimme nur mit Geländer",
    "because the children are small, yes as long as the gate stays open",
    "if the town pays: it saves a walk",
    "it needs the treasurer’s signature before I can call it a yes",
    "in exchange I want the shed",
    "I back it. Terms: two keys, one of them mine",
    "ohne Quittung geht bei mir nichts durch",
    "Fehlt der Zaun, fehlt auch mein Ja",
    "I sign the very minute there is a fence",
    "Wenn die Bank zahlt, kann ich zustimmen",
    "sollte die Gemeinde zahlen, trage ich es mit",
    "Sobald klar ist, wer zahlt, habt ihr meine Stimme",
    "Meine Zustimmung steht und fällt freilich mit dem Zaun",
    "Käme der Zaun dazu, wäre ich dabei",
    "Mein Preis dafür: der Sonntag bleibt frei",
    "Der Zaun kommt hin, sonst gilt mein Ja nicht",
    "ohne Zaun bin ich raus",
    "My yes stands or falls, though, with the fence",
    "Were the fee lower, you would have my vote",
    "Had the text a date in it, I would sign it",
    "My price for it: Sundays stay free",
    "a fence around it, otherwise I do not go along",
    "without a fence count me out",
    "I can carry it so long as the kitchen stays open, and would not otherwise",
    "I'd take it if the kitchen stays open",
    "I can live with p1.0 if the kitchen stays open",
    "for as long as the rent stays, yes",
    "Iff the bank pays",
    "To the extent that the bank pays, I agree",
    "I support it, subject always to the bank",
    "Dependent on the bank's yes",
    "Abhängig vom Ja der Bank",
    "Ist die Bank dabei, bin ich es auch",
    "(conditional: Sundays off in June)",
    "Condition: Carl never drives.",
    "Vorher will ich aber das Gutachten sehen",
    "only if p2.0 wins",
    "the bank willing",
    "yes, though only while the roof holds",
    "mit einer Bedingung: Sitzplätze",
    "Condition for my support: the sponsor is no brewery",
    "wofern er hält",
    "insofern als er hält",
    "erst dann, wenn der Ofen da ist",
    "nur gegen Lohnausgleich",
    "mit dem Zusatz, dass die Paten den Abfall behalten dürfen",
    "vorbehaltlich der Bilanz, die ich noch nicht gesehen habe",
    "on the strict understanding that we are asked first",
    "yes, barring a veto of the bank",
    "provided always that the bank signs",
    "were the bank to sign, yes",
    "save if the bank objects",
    "against a promise of quiet after ten",
    "for me it stands or falls with the key",
    "this hinges for me on the key",
    "weather permitting",
    "if the bank pays, it gets my vote",
    "I am for it, and if the bank says no, the deal is off",
    "it is cheap, and if the bank pays, I am for it",
    "it is cheap, it says who pays, if the bank agrees",
    "my only if: that the bank pays",
    "my one if is that the bank pays",
    "if somebody asks the bank",
    "gegen die Zusage, dass um Mitternacht Schluss ist",
    "gegen schriftliche Zusage der Bank",
    "so denn die Bank zahlt",
    "insoweit die Bank zahlt",
    "zahlt die Bank, bin ich dafür",
    "mal so: steht Berta auch im Winter auf, bin ich dabei",
    "Zahlt Berta, bin ich dafür",
    "steht und fällt für mich mit dem Schlüssel",
    "es ist billig, und wenn die Bank zahlt, bin ich dafür",
    "ich hätte keine Bedenken, wenn die Bank zahlt",
    "ich wäre einverstanden, wenn die Bank zahlt",
    "wenn ich weiß, wer zahlt",
    "mein Wenn ist, dass die Bank zahlt",
    "the moment we know who pays",
    "aber auch nur, wenn sie zahlt",
    "only if it says what happens if she is ill",
    "the lime gets my vote the minute the gate is mended",
    "it has my support only once the bank has signed",
    "once the bakery signs",
    "Condition: the bank is insured",
    "my vote is no if the rent goes up",
    "no, if it is dear",
    "no if, and only if it is paid",
    "if we get a cupboard that locks; we pay only for the evenings we use",
    "if the rent is 800 a month, so that the roof is paid within two years",
    "but only with a fence around it",
    "I can live with it as long as the lime tree stays",
    "as soon as the money is there",
    "unless the rent goes up",
    "not before the school year ends",
    "I'd sign at once if the rate were fixed",
    "my vote depends on the price",
    "I need to see the lease first",
    "subject to a surveyor's reading",
    "wenn die Gemeinde zahlt",
    "sobald der Rat zustimmt",
    "if die Schule uns den Dienstag schriftlich zusagt",
    "aber nicht vor 20 Uhr",
    "nur mit einem Gutachten",
    "wenns billig bleibt",
    "bin dafür, wenn's billig bleibt",
    "gern, sobalds bezahlt ist",
    "fein, solang es billig bleibt",
    "solangs billig bleibt",
    "falls's billig bleibt",
    "aber nur wenns billig bleibt",
    "d'accord, à condition que la mairie signe",
    "une fois le budget voté",
    "de acuerdo, siempre que se arregle el techo",
    "va bene, purché resti il parco",
    "akkoord, zolang de eik blijft",
    "concordo, contanto que o parque fique",
    "I am for it if she is for it",
    "once the mayor supports it",
    "we are for it if the region pays",
    "wir sind dafür, wenn der Rat dafür ist",
    "if der Bus um 21.30 noch fährt",
    "if I get a key of my own",
    "das hilft allen, if die Miete unter 50 Euro bleibt",
    "nur mit einer Versicherung, die vor dem ersten Tag unterschrieben ist",
    "nur mit Aufsicht, das ist mir wichtig",
    "only with a fence, the children are small",
    "falls die Bank, die uns den Kredit gibt, zusagt",
    "sofern der Verein, der das Bad führt, versichert ist",
    "gern, freilich bloß mit Helfern, die geschult sind",
    "sobald die Bank zusagt, und nicht früher",
    "mit der Einschränkung, dass der Zaun steht",
    "frühestens nach der Zusage der Bank",
    "Bedingung: ein Geländer",
    "Meine Bedingung aus m8 ist noch nicht erfüllt",
    "ohne Licht nicht",
    "ja, andernfalls stimme ich dagegen",
    # Each of these counted as full support: a phrase that states no condition stood at its beginning.
    "once a lease is signed",
    "only once a fence is there",
    "just once the bank signs",
    "as long as a fence is built",
    "as long as we have a key",
    "if any neighbour objects, no",
    "if so, yes",
    "if not too dear",
    "if you want it painted first",
    "if the bank could have paid by May",
    "yes, if we should have a key",
    "my vote is subject to a survey",
    "my condition is not yet met",
    "I accept it provided that the gate is paid",
    "once approved, it gets my vote",
    "once every member has signed",
    "after that is paid, yes",
    "yes, if it passes the inspection",
    "sure if they pay",
    "if you ask the bank first",
    "if we may use the yard, yes",
    "I'd sign if I had to pay less",
    "I would have no objection if the bank pays",
    "yes, if needed beds are bought",
    "the best as long as it is paid",
    "for it, but until May",
    "good for me until March",
    "I support it until the end of June",
    "until June we support it",
    "until May it is fine",
    "until June the plan suits me",
    "until Friday you have my hand",
    "bis Juni ist der Plan richtig",
    "bis Juni habt ihr mein Wort",
    "until Friday it must be paid",
    "until seven members have signed",
    "until it is paid I cannot",
    "fine until the money runs out",
    "until March, and not a day more",
    "bis zum Herbst bin ich dafür",
    "bis dahin bin ich dafür",
    "bis Mai gilt mein Ja",
    "bis Freitag muss die Bank zahlen",
    "bis Mitternacht, nicht länger",
    "bis Juni reicht mir das",
    "von Mai bis August",
    "der Saal war gut, nur mit Aufsicht",
    "nicht erst wenn der Ofen da ist",
]
NONE = [
    "if need be on a Sunday",
    "if anything it is too modest",
    "das haben wir so lange diskutiert, jetzt ist es gut",
    "we have the money, provided by the bank in May",
    "if I had a crown for every leaking tap I would be rich",
    "once was enough for me",
    "je nachdem, wen man fragt, sind es 20 oder 30 Leute",
    "if you need a spade, ask me",
    "a bench, a book and a good word is all I want",
    "When Rosa first saw it there was no fence",
    "As long as I have lived here, the lane has flooded every March",
    "the rule says: only with a permit",
    "if memory serves, we had the same in 2019",
    "when all is said and done it is the cheapest",
    "wenn schon, denn schon",
    "wenn ich richtig rechne, bleibt etwas übrig",
    "im Vertrag steht: nur mit Ausweis",
    "Solange ich hier wohne, hat der Keller jeden März unter Wasser gestanden",
    "when I sat on the felt the chair kept its height",
    "until 22 o'clock the cellar is open",
    "until nine in the morning the light is bad",
    "until 2030 the bank charges no interest",
    "from May until August it is 14 weeks",
    "the pool is heated until September",
    "the lease runs until 2029, so we lose nothing",
    "two hours are enough, and the plot then holds until Wednesday",
    "bis August ist der Keller kühl",
    "bis Ende August sind es nur 14 Wochen",
    "bis Freitag haben wir Zeit genug",
    "bis zum Winter wird das Dach fertig",
    "von 8 bis 12 Uhr ist der Keller frei",
    "von Mai bis August sind es 14 Wochen",
    "zwei Stunden reichen, und das Beet hält dann bis Mittwoch",
    "when Ada sat on it nothing moved",
    "numbers first",
    "they come by bike, mostly",
    "it is for members only",
    "it pays for itself, soon",
    "Ja, mit Freude",
    "Bei gutem Wetter kommen viele",
    "Das Dach hält, das Tor nicht",
    "I support it with all my heart",
    "I support it without a second thought",
    "I support it with a clear conscience",
    "a boat with a motor is loud, and a boat without a motor is not",
    "Wenn die Sonne scheint, wird es warm",
    "Ein Haus ohne einen Keller bleibt trocken",
    "Ich unterstütze es mit ganzem Herzen",
    "ohne Tafel gibt es keine Ausgabe, die wiederkommt",
    "mit der Stange steigt keiner hinauf",
    "without the board there is no cost that comes back",
    "we pay only once, and the sun sends no bill",
    "Jedes Mal, wenn das Tor fällt, wacht meine Tochter auf",
    "Immer wenn es regnet, läuft der Keller voll",
    "Niemand muss sein Glas erst um Mitternacht wegwerfen",
    "if a family comes six times, it has already saved money",
    "Wenn die Alten erzählen, hört jeder zu",
    "Selma's condition is met",
    "I am willing",
    "with the signed offer in hand, I have nothing left to ask",
    "mit dem Vertrag der Bank in der Tasche",
    "Meldet euch, wenn ihr Kisten braucht!",
    "I would oppose it if it were for good",
    "auch für den Fall, dass niemand kommt",
    "gegen eine Obergrenze von 300 Euro bin ich nicht",
    "gegen Diebstahl hilft ein Schloss",
    "gegen Einbrecher helfen zwei Schlösser",
    "die Vereine suchen seit Jahren, und sei es nur für den Winter",
    "ich brauche die Pause, wenn ich ehrlich sein soll",
    'the limit that I asked for in m3 is in it, so my "subject to" is settled',
    "part payment was my only if, and Quin has written it in",
    "the key is in it, so no if remains",
    "your if is answered, Pru",
    "it costs little, and if we leave, it stays",
    "a bell wakes the herons, if you'll forgive the poetry",
    "if anybody asks: yes",
    "if the bank pays, so much the better; I am for it either way",
    "so far as I can see, nothing is missing",
    "it says who pays if the roof leaks",
    'der Archivar prüft die Namen, mein "erst wenn" hat sich erledigt',
    'der Name steht drin; ein "sofern" brauche ich nicht mehr',
    "mein Wenn ist damit erledigt",
    "Seit das Geld da ist, bin ich dafür",
    "Jetzt wo Berta zahlt, bin ich dabei",
    "meine Bedingung von m3 gilt schon seit p6.0 als erfüllt",
    "sie kostet wenig, und wenn wir fort sind, ist sie noch da",
    "mein Großvater hätte unterschrieben, wenn er noch lebte",
    "falls mich jemand fragt: ja",
    "sofern ich das überblicke, spricht nichts dagegen",
    "soweit ich weiß, hat die Bank zugesagt",
    "sofern du, Rolf, die Brötchen schon bestellt hast, umso besser",
    "mit der Zahl kann ich leben, so hoch sie ist",
    "Condition: none",
    "condition: it was met by Ada",
    "open until midnight, and there is talk after the game",
    "the buses run until ten, and a town can have two markets",
    'my only "if" was the vacancy, and it is dealt with',
    "my one round stays as it is",
    "it leaves my round as it is",
    "the dough is best as it stands",
    "it is short, clear and cheap",
    "even if it costs more",
    "whether it rains or not",
    "looks as if it would hold",
    "it would only have worked if the bank had paid",
    "it keeps the oak when the road is widened",
    "Do we know if it holds?",
    "the path is subject to flooding, this fixes it",
    "when I was a nurse we did the same",
    "the day care stays open",
    "es schützt mein Kind auch dann, wenn Gesa einmal fehlt",
    "der Text sagt, was geschieht, wenn sie fehlt",
    "it works even then, when it rains",
    "the text says what happens if she is ill",
    "it gets my vote",
    "no one has asked me before",
    "once a week is enough",
    "with pleasure",
    "without a doubt the best",
    "at least it is cheap",
    "two evenings a week are enough",
    "it lasts twice as long as tar",
    "no ifs or buts",
    "no if",
    "for p3.0, no if",
    "for p3.0, no if and no but",
    "p3.0 yes, and no more if",
    "there is no if about it",
    "no if, it's good",
    "without a condition",
    "no more conditions",
    "kein Wenn und kein Aber",
    "keine Bedingung mehr",
    "ohne eine Bedingung",
    "i take back my condition, two weeks is too much",
    "i drop my condition, it is too much",
    "forget my condition, two weeks is too much to ask",
    "Meine Bedingung bei o2 lasse ich fallen",
    "ich nehme meine Bedingung zurück, das ist zu viel",
    "it is cheap; it floods if it rains",
    "it floods only once in ten years",
    "she is for it and it is cheap",
    "ohne wenn und aber",
    "Ohne Wenn und Aber dafür",
    "senza se e senza ma",
    "sans si ni mais",
    "the numbers were provided by the bank",
    "because it only starts once everyone has signed",
    "auch wenns mehr kostet",
    "als Rückfalllösung",
    "als zweite Wahl.",
    "weil es auch dann hält, wenn es regnet",
    "Als ich dort war, ging es gut.",
    "encore une fois, c'est le plus simple",
    "anche se costa di più",
    "goedkoper als het andere plan",
    "er fährt heim, und Olga hat in m3 nur nach dem Geld gefragt",
    "Meine Bedingung aus m8 ist damit erledigt",
    "meine Bedingung gilt nun nicht mehr",
    "die Voraussetzung ist erfüllt",
    "zwölf Minuten sind zumutbar, wenn man bedenkt, wie weit es ist",
    "auch falls das Dach später kommt",
    "guter Plan, wenn auch teuer",
    "weil das Bad sonst nicht zu halten ist",
    "ohne den Bus geht es nicht",
    "es ist der Weg, der allen hilft, falls nötig zu zweit",
]
DOUBTS = [
    "yes, if the town pays, nobody has to move",
    "yes, if it leaks, the forks rust again",
    "count me in except in August",
    "einverstanden, außer im August",
    "ich will aber sehen, dass jemand den Dienst übernimmt",
    # Each of these was a condition outright: what was, what is done anyway, and what another member asks for.
    "When Rosa painted it the whole street came out",
    "as long as I have lived here",
    "last winter we had to close, once the pipes froze",
    "Ben comes only if he is paid, I come for nothing",
    "Ada says she will only sign if the roof is done",
    "wenn meine Mutter vom Markt kam, roch das Haus danach",
    "der Carl käme nur mit Auto, hat er gesagt",
    "when I look at the plan I see nothing wrong with it",
    "whenever I pass the gate I think of it",
    "if this is the price, it is a fair one",
    "nobody reads a sign, unless it is red",
    "es wurde unter der Bedingung beschlossen, dass keiner mehr zahlt",
    "keiner liest ein Schild, es sei denn, es ist rot",
    # And each of these was none.
    "Give me a fence and I am in",
    "More than 900 and I'm gone",
    "My limit: 900",
    "a fence is non-negotiable",
    "I insist on a fence",
    "I want a fence in writing",
    "With a fence, that is",
    "Gebt mir einen Zaun, und ich unterschreibe",
    "Bei mehr als 900 Euro bin ich raus",
    "Meine Grenze: 900 Euro",
    "Ich bestehe auf einem Zaun",
    "Erst der Zaun, dann der Baum",
    "Gern, mit Zaun",
    "I would be for it once it was tested",
    "one more flood and I am out",
    "eine Beschwerde, und ich bin raus",
    "kein Zaun, keine Stimme",
    "p1.0, the certificate in hand",
    "yes until June, then we look again",
    "until August, then no",
    "bis August, dann nicht mehr",
    "bis 18 Uhr fahren Busse",
    "das Ja steht bis Ostern",
    "p1.0, the kitty paying",
    "Yes - roof first",
    "Yes as amended by Rosa",
    "Yes, only together with Rosa's text",
    "For the roof part only",
    "I support the idea, not the date",
    "Half of it",
    "With minor edits",
    "Not yet",
    "I lean towards it",
    "Die Idee ja, das Datum nein",
    "Ja, mit Zaun",
    "Ja, zusammen mit p3.0",
    "Ja, in der Fassung mit Zaun",
    "Ja bei Zusage der Bank",
    "Nach Klärung der Kosten",
    "Bei gutem Wetter",
    "Teilweise",
    "Eher ja",
    "I support it without the second floor",
    "I back it apart from the second floor",
    "I am for it while the bank pays",
    "I am for it on a trial basis",
    "I support it, the bank's consent presumed",
    "I support it given the bank's yes",
    "But for the roof I am for it",
    "The panel may adopt it once the bank pays",
    "Once that is settled, there is no reason to wait",
    "Mit dichtem Dach ja",
    "Ich unterstütze es mit einem Zaun",
    "Ich bin dafür, abgesehen vom letzten Satz",
    "Für das erste Jahr ja",
    "Wenn die Bank zahlt, ist es eine gute Lösung",
    "Sollte die Bank zahlen, kann der Plan beginnen",
    "Meine Stimme hat es ab dem Tag, an dem die Bank zahlt",
    "Ohne Zuschuss gibt es kein Ja von mir",
    "ohne die Bank gibt es von mir keine Stimme",
    "with a fence there is my vote",
    "If the bank pays, the text has my backing",
    "Once the bank pays, there is nothing left against it",
    "I see no objection if the bank pays",
    "It makes sense once the bank pays",
    "Sobald die Bank zahlt, gilt mein Ja",
    "Falls die Bank zahlt, steht dem nichts im Weg",
    "Wenn die Bank zahlt, können wir das machen",
    "with Rolf's age limit written in",
    "see Selma's condition in m10",
    "(siehe Bedingung von Selma in m10)",
    "gleiche Bedingung wie Selma",
    "bis auf den Preis",
    "if the bank pays half we can do it",  # counted as full support
    "so das Netz hält",
    "yes, under one condition",
    "our bells need not fight; if both fail we swim",
    "aber bitte kurz",
    "gegen Lohnausgleich",
    "ja, gegen einen freien Tag",
    "jetzt noch nicht erst wenn der Ofen da ist",
    "mit Ausnahme des Mai",
    "with the amendment that each family keeps its own waste",
    "es ist p1.0 mit dem Zusatz, dass der Verein gießt",
    "on the basis that the bank signs",
    "given the bank's signature",
    "wenn es auch spät wird",
    "mit Zustimmung der Bank",
    "auf der Grundlage, dass die Bank zahlt",
    "no nurse before the night room is heated",
    "keine Pflegerin, bevor das Zimmer geheizt ist",
    "I hope the region pays half",
    "if it is as cheap as they say",
    "for p3.0, if",
    "my condition, two weeks, is too much to ask",
    "yes, unless",
    "but not if",
    "not unless",
    "no if, but the rent must be 800",
    "the roof holds as long as the river is low",
    "but the fence must stay",
    "except for the last sentence",
    "with a cap of 500",
    "as a trial",
    "but change the date",
    "given that the grant comes through",
    "at most two evenings a week",
    "Hauptsache, der Zaun bleibt",
    "ohne den letzten Satz",
    "zähneknirschend",
    "wenn auch Rollstühle mitkommen",
    "falls der Rat zustimmt, der Preis ist gut",
    "unter Auflagen",
    "ja, aber mit Licht",
    "bin dabei, Bewachung wäre Pflicht für mich",
    "avec un plafond de 500",
    "sin la multa",
    "senza la multa",
    "met een maximum",
    # "She is for it if ...", as a reason of one's own, counted in full, and with "provided" as one's own condition.
    "she is for it if the region pays",
    "if the region pays, she is for it",
    "he is for it, provided the club pays",
    "it is cheap; the board is for it if the region pays",
    "Mira supports it if the region pays",
    "sie ist dafür, wenn die Region zahlt",
    "alle sind dafür, sobald es bezahlt ist",
]


def test_a_comma_right_behind_its_first_word_does_not_end_a_condition() -> None:
    read = read_condition("das passt gut, es sei denn, es regnet", "support")
    assert read == ConditionRead(conditional=True, condition="es sei denn, es regnet")


def test_no_words_take_no_side() -> None:
    """Behind "if it is paid, ..." nothing was as good as "I am for it"."""
    assert takes_side("I am for it")
    assert not takes_side(" ...")


@pytest.mark.parametrize("words", ["erst dann, wenn der Ofen da ist", "insofern als er hält", "nur bis Mai"])
def test_a_condition_is_quoted_from_its_first_word(words: str) -> None:
    """ "nur bis Mai" was "bis Mai", and "insofern als er hält" was "als er hält"."""
    assert read_condition(f"ja, {words}", "support").condition == words


@in_one("reason", CONDITIONS)
def test_a_condition_is_read_in_the_words_of_seven_languages(reason: str) -> None:
    """Only `if` was read: "once the firm pays" counted as full support."""
    read = read_condition(reason, "support")
    assert read.conditional is True
    assert read.condition
    assert read.condition in reason


@pytest.mark.parametrize(
    "reason", ["as long as it stays below 6,000 in all", "if all of us are there by 10:30 for all"]
)
def test_a_condition_does_not_end_within_a_number(reason: str) -> None:
    """ "as long as the offer stays below 6" was shown of a member that had written 6,000."""
    assert read_condition(reason, "support") == ConditionRead(True, reason)


@in_one("reason", NONE)
def test_what_only_sounds_like_a_condition_is_none(reason: str) -> None:
    assert read_condition(reason, "support") == ConditionRead(False)


@in_one("reason", DOUBTS)
def test_what_may_be_a_condition_is_in_doubt(reason: str) -> None:
    assert read_condition(reason, "support").conditional is None


@pytest.mark.parametrize("reason", ["it stands beside the till", "I am for a new till", "das braucht Zeit, bis"])
def test_a_word_of_time_without_a_clause_is_no_condition(reason: str) -> None:
    assert read_condition(reason, "support") == ConditionRead(conditional=False)


@in_one(
    ("words", "condition"),
    [
        ("It is cheaper, if the price holds.", "if the price holds"),
        ("it halves the heating; if the price holds", "if the price holds"),
        ("It keeps the hall warm, provided the windows are done too.", "provided the windows are done too"),
        ("It keeps us together, as long as the lamps go off at ten", "as long as the lamps go off at ten"),
        ("it can be built in a week, once the ground is dry", "once the ground is dry"),
        ("It is best, assuming the council pays", "assuming the council pays"),
        ("lovely - provided juniors row it first", "provided juniors row it first"),
        ("Es spart Geld, wenn der Preis hält", "wenn der Preis hält"),
        ("Das ist günstiger, sofern die Stadt zahlt", "sofern die Stadt zahlt"),
        ("Es ist günstig, falls der Preis hält", "falls der Preis hält"),
        ("it is cheap; I am for it if the pump comes", "if the pump comes"),
        ("it is cheap, I am for it if the pump comes", "if the pump comes"),
        ("it is cheap and I am for it if the pump comes", "if the pump comes"),
        ("because it is cheap; you have my support if the pump comes", "if the pump comes"),
        ("it would have been cheap; I'd sign if the pump came", "if the pump came"),
        ("it is cheap; yes, but only once the pump comes", "only once the pump comes"),
        ("es ist billig; ich bin dafür wenn die Pumpe kommt", "wenn die Pumpe kommt"),
        ("c'est simple; je suis pour si la mairie signe", "si la mairie signe"),
        ("tanks bridge the summers until the pipe is there, if May 2028 stays", "if May 2028 stays"),
        ("I am for it until the pipe is there, if it has a date", "until the pipe is there, if it has a date"),
        ("die Tanks reichen, bis das Rohr liegt, wenn der Mai im Text bleibt", "wenn der Mai im Text bleibt"),
    ],
)
def test_a_condition_stands_behind_a_reason_and_a_comma(words: str, condition: str) -> None:
    """Members are told of that form, and a support in it was in doubt."""
    assert read_condition(words, "support") == ConditionRead(True, condition)


@pytest.mark.parametrize("words", ["the hall would be cold, if we do nothing", "it lasts for years, once built"])
def test_a_clause_that_the_statement_before_it_may_be_about_is_in_doubt(words: str) -> None:
    assert read_condition(words, "support").conditional is None


def test_a_long_reason_is_read_in_bounded_time() -> None:
    begun = time.process_time()
    for words in ("if ", ", die alle ", "the a ", "I need ", "must ", "wenn die ", "no ", "no if, and "):
        read_condition(words * 20_000, "support")
    assert time.process_time() - begun < 10


PUT = ("Ada", "So.\n\n[PROPOSE] We plant a lime tree at the gate.")
TITLED = ("Ada", "So.\n\n[PROPOSE Glasshouse] We build one at the wall.")


def test_what_an_act_of_its_message_ended_is_not_asked_about() -> None:
    """A member whose `[SUPPORT p1.0]` ended its opposition was told that "I take my opposition back" has no tag."""
    back, hedge = "There is a price, so I take my opposition back.", ("Ben", "[PROPOSE] A hedge it is.")
    bench = ("Ada", "So.\n\n[PROPOSE] We buy a bench for the yard.")
    stood = (PUT, bench, ("Ben", "[OPPOSE p1.0] it has no price\n[OPPOSE p2.0] it is dear"), hedge)
    for words, act, told in (
        (back, "[SUPPORT p1.0] it is cheap", False),
        (back, "[NEXT Ada]", True),
        ("I take back my proposal.", "[SUPPORT p1.0] it is cheap", True),
    ):
        memory = debated(*stood, ("Ben", f"{words}\n\n{act}"))
        assert [each for each, _ in taken_back("Ben", 5, memory)] == [words] * told


@in_one(
    ("words", "back"),
    [
        ("My Glasshouse I hereby take back.", True),
        ("Mein Glasshouse ziehe ich dann eben zurück.", True),
        ("Ich ziehe meinen Vorschlag zurück.", True),
        ("nehm mein Glasshouse zurück, der Lime tree reicht.", True),
        ("I withdraw my proposal.", True),
        ("Ich ziehe mich jetzt zurück.", False),
        ("I take nothing back of my Glasshouse.", False),
        ("Ich ziehe mein Glasshouse nicht zurück.", False),
        ("I take p7.0 back.", False),
        ("So forget the heat, I am fully for p1.0 now.", True),
        ("It is off for me, I take that back.", True),
        ("I'd never forget p1.0.", False),
        ("Don't forget what p1.0 costs.", False),
        ("Mein Ja zur Pumpe aus m2 könnt ihr also wieder streichen.", True),
        ("Dagegen stelle ich mich nicht, aber mitzählen sollt ihr mich da nicht mehr.", True),
        ("What I put for the hall in m2 I take back.", True),
        ("My barn you may forget, Ben has me convinced.", True),
        ("My yes you can strike.", True),
        ("Count me out, then.", True),
        ("Please no longer count me for the hall.", True),
        ("Zählt mich bitte nicht mehr mit.", True),
        ("Mein Ja könnt ihr nicht streichen.", False),
        ("Mitzählen sollt ihr mich weiterhin.", False),
        ("Zählt mich mit.", False),
        ("Do not count me out.", False),
        ("My garden you can see from the road.", False),
    ],
)
def test_a_text_taken_back_by_its_title_or_as_my_proposal_is_asked_about(words: str, back: bool) -> None:
    """Only one with its id was: "Mein Gewächshaus ziehe ich dann eben zurück" in a last message was lost."""
    memory = debated(TITLED, ("Ben", "[SUPPORT p1.0] it is shade"), ("Ada", words))
    assert [each for each, _ in taken_back("Ada", 3, memory)] == [words] * back
    assert taken_back("Ben", 2, memory) == []


def _standing(memory: ConversationMemory, who: str) -> tuple[str, bool, bool] | None:
    found = [each for each in memory.proposals[0].reactions if each.agent == who]
    return (found[0].reaction, found[0].conditional, found[0].doubt) if found else None


def test_support_in_doubt_is_not_counted_and_is_told_as_such() -> None:
    memory = debated(PUT, ("Ben", "[SUPPORT p1.0] I hope the region pays half"), ("Cleo", "[SUPPORT p1.0] it is cheap"))
    assert memory.proposals[0].backers("support") == ("Cleo",)
    assert _standing(memory, "Ben") == ("support", True, True)
    assert [(act.conditional, act.doubt) for act in memory.acts(2)] == [(True, True)]


@pytest.mark.parametrize(
    "line", ["[WITHDRAW my condition on p1.0]", "[WITHDRAW p1.0] my condition is met", "[SUPPORT p1.0] it is cheap"]
)
def test_a_condition_is_taken_back(line: str) -> None:
    memory = debated(PUT, ("Ben", "[SUPPORT p1.0] once the rate is fixed"), ("Ben", line))
    assert _standing(memory, "Ben") == ("support", False, False)


RATE = ("Ben", "[SUPPORT p1.0] once the rate is fixed")
TWO = ("Ada", "[AMEND p1.0] We plant two lime trees at the gate.")
LIFTS = "[WITHDRAW my condition on p1.0] the rate is fixed"
LIFTED = "takes back its condition on p1.0"


@in_one(
    ("talk", "lines", "beside"),
    [
        ([("Ben", LIFTS)], [f"{LIFTED}, and supports it: the rate is fixed"], "for 2: Ada (own), Ben"),
        ([("Ben", "[WITHDRAW my condition on p1.0]")], [f"{LIFTED}, and supports it"], "for 2: Ada (own), Ben"),
        (
            [TWO, ("Ben", f"{LIFTS}\n[SUPPORT p3.0] two need none")],
            [
                f"{LIFTED} (the older text, replaced by p3.0): the rate is fixed",
                "supports p3.0: two need none",
            ],
            "for 2: Ada (own), Ben",
        ),
        ([TWO, ("Ben", "[SUPPORT p3.0]"), ("Ben", LIFTS)], None, "for 2: Ada (own), Ben"),
        ([TWO, ("Ben", "[SUPPORT p3.0] ohne Bedingung")], ["supports p3.0: ohne Bedingung"], "for 2: Ada (own), Ben"),
        ([TWO, ("Ben", "[SUPPORT p3.0] no change")], None, "for, if ... 1: Ben"),
        ([TWO, ("Ben", "[SUPPORT p3.0] unconditionally")], ["supports p3.0: unconditionally"], "for 2: Ada (own), Ben"),
        ([TWO, ("Ben", LIFTS)], None, "for p1.0 (replaced by p3.0), not counted for this one: Ben"),
        (
            [TWO, ("Ben", "[WITHDRAW my condition on p1.0] p3.0 names the rate")],
            [f"{LIFTED} (the older text, replaced by p3.0): p3.0 names the rate"],
            "for p1.0 (replaced by p3.0), not counted for this one: Ben",
        ),
        ([("Ben", "[WITHDRAW my condition on p1.0] p1.0 has a rate now")], None, "for 2: Ada (own), Ben"),
        (
            [("Ben", "[WITHDRAW my condition on p1.0] p1.0 waits until the rate is fixed, and only then begins")],
            [f"{LIFTED}, and supports it: p1.0 waits until the rate is fixed, and only then begins"],
            "for 2: Ada (own), Ben",
        ),
        (
            [
                TWO,
                ("Ben", "[SUPPORT p3.0] if they are limes"),
                ("Ben", "[WITHDRAW my condition on p3.0] they are limes"),
            ],
            ["takes back its condition on p3.0, and supports it: they are limes"],
            "for 2: Ada (own), Ben",
        ),
    ],
)
def test_a_condition_that_is_taken_back_is_told_as_that_and_counted_where_its_member_stands(
    talk: list[tuple[str, str]], lines: list[str] | None, beside: str
) -> None:
    """ "Supports p1.0" stood below the message, and "not counted for this one" of who supported the newer text, too."""
    memory = debated(PUT, RATE, *talk)
    assert lines is None or [act_line(act) for act in memory.acts(memory.message_count)] == lines
    table = memory.table().text
    assert beside in table
    assert ("not counted" in table) is ("not counted" in beside)


@in_one(
    ("talk", "condition"),
    [
        ("I support p1.0 if it is cheap.", "if it is cheap"),
        ("I am for p1.0, but only if the region pays.", "only if the region pays"),
        ("Ich bin für p1.0, wenn die Stadt zahlt.", "wenn die Stadt zahlt"),
        ("Cleo, you support p1.0 if the region pays.", ""),
        ("I am for p1.0 even if it rains.", ""),
        ("In m2 I said that I support p1.0 if the region pays; it pays now.", ""),
        ("If p1.0 had no fence I would support it.", ""),
        ("I withdraw nothing: unless p1.0 has all of us, mine is the fallback.", ""),
        ("p1.0 gets my nod as soon as the pump is quiet.", "as soon as the pump is quiet"),
        ("Ohne Zuschuss kein p1.0 von mir.", "Ohne Zuschuss kein p1.0 von mir"),
    ],
)
def test_a_condition_in_the_words_beside_a_support_leaves_it_in_doubt(talk: str, condition: str) -> None:
    """A bare tag below "I support p1.0 if it is cheap" counted in full."""
    memory = debated(PUT, ("Ben", f"{talk}\n\n[SUPPORT p1.0] it is shade"))
    assert _standing(memory, "Ben") == ("support", bool(condition), bool(condition))
    assert [act.condition for act in memory.acts(2)] == [condition]
    later = debated(PUT, ("Ben", f"{talk}\n\n[SUPPORT p1.0]"), ("Ben", "[SUPPORT p1.0] it is cheap"))
    assert _standing(later, "Ben") == ("support", False, False)


def test_who_takes_a_condition_back_on_a_text_that_was_replaced_is_told_unless_it_spoke_of_the_newer_one() -> None:
    """The support counted for a closed text alone, and nobody was asked about the one that stands."""
    told = ["what you said on p1.0: it was replaced by p3.0"]
    assert on_closed_texts("Ben", 4, debated(PUT, RATE, TWO, ("Ben", LIFTS))) == told
    stands = debated(PUT, RATE, TWO, ("Ben", "[SUPPORT p3.0] it is shade"), ("Ben", LIFTS))
    assert on_closed_texts("Ben", 5, stands) == []
    assert on_closed_texts("Ben", 4, debated(PUT, RATE, TWO, ("Ben", "[SUPPORT p1.0] it is shade"))) != []


@pytest.mark.parametrize(
    ("later", "told"),
    [
        ("[AMEND p3.0] We plant three lime trees at the gate.", "replaced by p3.0, which was replaced by p4.0"),
        ("[WITHDRAW p3.0]", "replaced by p3.0, which was withdrawn"),
        ("[WITHDRAW p3.0] for p4.0", "replaced by p3.0, which was withdrawn (its motion lives on as p4.0)"),
    ],
)
def test_who_acts_on_a_closed_text_is_told_what_became_of_those_that_took_its_place(later: str, told: str) -> None:
    """Who was told of p3.0 alone supported that next, though it was closed, too."""
    other = [("Eve", "[AMEND p3.0] We plant two oaks at the gate.")] * ("for" in later)
    memory = debated(PUT, RATE, TWO, *other, ("Ada", later), ("Ben", "[SUPPORT p1.0] it is shade"))
    assert on_closed_texts("Ben", 5 + len(other), memory) == [f"what you said on p1.0: it was {told}"]


@in_one(
    ("talk", "condition"),
    [
        ("As for the lime tree, I back it only if the county pays.", "only if the county pays"),
        ("I sign your wish of m1 only if it costs the parish nothing.", "only if it costs the parish nothing"),
        ("p1.0 nur mit einem Zaun.", "nur mit einem Zaun"),
        ("> I am against p1.0.", ""),
        ("I'd only go for it if the fee is dropped.", "if the fee is dropped"),
        ("Mach ich mit, wenn die Stadt zahlt.", "wenn die Stadt zahlt"),
        ("Lime tree gets my vote the moment we know who pays.", "the moment we know who pays"),
        ("Lime tree kriegt mein Ja, sobald die Stadt zahlt.", "sobald die Stadt zahlt"),
        ("p1.0 mag ich erst, wenn die Stadt zahlt.", "erst, wenn die Stadt zahlt"),
        (
            "My name comes off p1.0 the moment it is dear.",
            "My name comes off p1.0 the moment it is dear",
        ),
        ("Bei p1.0 bin ich raus, sobald es teurer wird.", "Bei p1.0 bin ich raus, sobald es teurer wird"),
        (
            "For lime tree the county pays the bench first, then yes.",
            "For lime tree the county pays the bench first, then yes",
        ),
        ("That said: no lime before the gate is mended.", "no lime before the gate is mended"),
        ("Aber kein Baum, bevor das Tor steht!", "Aber kein Baum, bevor das Tor steht"),
        ("Was nicht geht, ist der Lärm.", "Was nicht geht, ist der Lärm"),
        ("p1.0 gets their vote once it is paid.", ""),
        ("If the count is small, I'll be the first to argue for a new one.", ""),
        ("Two crews is the most that I can follow when I find a crack.", ""),
        ("If it wins I am content. I'd pay for it myself if I had to.", ""),
        ("I would not have put the shade first, because it lasts only until May.", ""),
        ("Ada, in m1 you plant it at the gate; I wonder if that pays.", ""),
        ("As for the lime tree: if all decide, the bench can come first.", ""),
        ("I can live with the lime tree, but only with a fence.", "but only with a fence"),
        ("In m2 I would sign only if it costs nothing.", ""),
    ],
)
def test_a_support_with_a_reason_has_the_condition_of_a_sentence_that_names_its_text(talk: str, condition: str) -> None:
    """By title or message: "as for the evening hours, I back them only if ..." stood above a support in full."""
    put = ("Ada", "So.\n\n[PROPOSE Lime tree] We plant a lime tree at the gate.")
    memory = debated(put, ("Ben", f"{talk}\n\n[SUPPORT p1.0] it is shade"))
    assert [(act.condition, act.doubt) for act in memory.acts(2)] == [(condition, bool(condition))]
    bare = debated(put, ("Ben", f"{talk}\n\n[SUPPORT p1.0]"))
    assert condition in bare.acts(2)[0].condition


@pytest.mark.parametrize(
    ("talk", "condition"),
    [
        ("p1.0 trage ich mit, wenn ab 14 niemand die Eltern braucht.", "wenn ab 14 niemand die Eltern braucht"),
        ("I am for p1.0 if p2.0 comes with it.", "if p2.0 comes with it"),
        ("If the chip card is given up, I go along with p1.0.", "If the chip card is given up, I go along with p1.0"),
        ("I am for p2.0 if it has no card.", ""),
        ("p2.0 trage ich mit, wenn p1.0 steht.", ""),
    ],
)
def test_a_condition_is_of_the_text_that_its_sentence_names_though_it_has_words_of_anothers_title(
    talk: str, condition: str
) -> None:
    """ "p1.0, wenn ab 14 ..." above a bare tag was support in full where another text was called "Chip card ab 14"."""
    other = ("Cleo", "So.\n\n[PROPOSE Chip card ab 14] The card is given to all who are fourteen.")
    memory = debated(PUT, other, ("Ben", f"{talk}\n\n[SUPPORT p1.0]"))
    assert [(act.condition, act.doubt) for act in memory.acts(3)] == [(condition, bool(condition))]


@pytest.mark.parametrize(
    ("beside", "condition"),
    [("[OPPOSE o1] too dear", "if the fee is dropped"), ("[SUPPORT o1]", ""), ("[PROPOSE] We plant an oak.", "")],
)
def test_a_condition_without_a_text_may_be_of_the_one_support_of_its_message(beside: str, condition: str) -> None:
    """ "Provided the lift runs" in a footnote was of no text, where its message opposed another one."""
    talk = "I'd only go for it if the fee is dropped."
    acts = debated(PUT, ("Ben", f"{talk}\n\n[SUPPORT p1.0] it is shade\n{beside}"), options=("Pave it",)).acts(2)
    read = [(act.condition, act.doubt) for act in acts if act.on == "p1.0"]
    assert read == [(condition, bool(condition))]


@pytest.mark.parametrize(
    ("line", "why", "conditional"),
    [
        ("[SUPPORT p1.0] ~~only if the fee goes~~ it is shade", "it is shade", False),
        ("[SUPPORT p1.0] it is shade ~~if the fee goes~~", "it is shade", False),
        ("[SUPPORT p1.0] ~~if the fee goes~~", "", False),
        ("~~Only if the fee goes.~~\n\n[SUPPORT p1.0] it is shade", "it is shade", False),
        ("[SUPPORT p1.0] ~~it is shade~~ if the fee goes", "if the fee goes", True),
    ],
)
def test_what_is_struck_out_says_nothing(line: str, why: str, conditional: bool) -> None:
    """A condition that its author had struck out was one."""
    memory = debated(PUT, ("Ben", line))
    assert [act.why for act in memory.acts(2)] == [why]
    assert _standing(memory, "Ben") == ("support", conditional, False)


@in_one(
    ("talk", "condition"),
    [
        ("I'd only go for your tree if the fee is dropped.", "if the fee is dropped"),
        ("I am with you once the fee goes.", "once the fee goes"),
        ("Cleo, you are for it if the fee is dropped.", ""),
        ("If hirers came I would think again. I am for it.", ""),
        ("I would change my mind if the fee rose.", ""),
        ("Only if the kitchen stays free.", "Only if the kitchen stays free"),
        ("Nur mit Fenster!", "Nur mit Fenster"),
        ("Wenn der Baum zwei Winter hält, dann ja.", "Wenn der Baum zwei Winter hält"),
        ("p1.0? Not before my exams. But fine.", "Not before my exams"),
        ("Condition: the fee goes.", "Condition: the fee goes"),
        ("¹ only if the fee goes", "only if the fee goes"),
        ("(1) provided the fee goes", "provided the fee goes"),
        ("The fee goes to the town, or I am off again.", "The fee goes to the town"),
        ("The fee goes, or else no.", "The fee goes"),
        ("Der Zaun steht, sonst nein.", "Der Zaun steht"),
        ("PS: bloß, wann der Zaun steht", "bloß, wann der Zaun steht"),
        ("If we don't have it, I will say so before May, and then it has no guard until it is paid.", ""),
        ("Sobald alle gesprochen haben:", ""),
        ("Wenn es regnet, steht der Keller voll.", ""),
        ("> Only if the kitchen stays free.", ""),
        ("I am for p9.0 if it rains.", ""),
    ],
)
def test_a_support_without_a_reason_has_the_condition_that_its_message_states(talk: str, condition: str) -> None:
    """ "I'd only go for your calendar if ..." above a bare tag counted in full: the sentence has no id."""
    memory = debated(PUT, ("Ben", f"{talk}\n\n[SUPPORT p1.0]"))
    assert _standing(memory, "Ben") == ("support", bool(condition), bool(condition))
    assert [act.condition for act in memory.acts(2)] == [condition]
    reasoned = debated(PUT, ("Ben", f"{talk}\n\n[SUPPORT p1.0] it is shade"))
    assert _standing(reasoned, "Ben") == _standing(memory, "Ben"), "where nothing else is on the table"


@in_one(
    ("above", "below", "doubt"),
    [
        ("Once the county pays, I'm for it.", "", True),
        ("That remains to be shown; once it has been, my yes is firm.", "", True),
        ("If the count is small, I'll be the first to argue for the old one.", "", False),
        ("The driver has to be paid first.", "", False),
        ("", "Ada, one thing. The driver has to be paid first.", True),
        ("", "(gilt nicht, falls Cid das macht – der lacht doch nur)", True),
        ("", "Condition: Cid waters it.", True),
        ("", "But: Cid waters it. Otherwise I'm out.", True),
        ("", "Cid, who waters it if it rains?", False),
        ("", "When it rained last year, the cellar was full.", False),
        ("", "The cellar is full when it rains.", False),
        ("", "Der Keller läuft voll, wenn es regnet.", False),
        ("", "This holds only while the county pays.", True),
        ("", "PS: gilt nur, solange der Kreis zahlt", True),
        ("", "In m1 it says: only with a fence.", False),
        ("", "p2.0 only if it is cheap.", False),
        ("Ich sag mal so: steht Cid um sechs auf, bin ich dabei.", "", True),
    ],
)
def test_what_takes_a_side_or_stands_below_a_support_with_a_reason_may_be_its_condition(
    above: str, below: str, doubt: bool
) -> None:
    """ "(not if Cid does it)" below "[SUPPORT p1.0] it is shade" was told to all as a support in full."""
    put = (PUT, ("Cid", "[PROPOSE Oak] We plant an oak."))
    memory = debated(*put, ("Ben", f"{above}\n\n[SUPPORT p1.0] it is shade\n\n{below}"))
    assert _standing(memory, "Ben") == ("support", doubt, doubt)


@pytest.mark.parametrize(
    ("below", "counts"),
    [
        ("Scrap that.", False),
        ("Uh, p2.", False),
        ("nee, p2 natürlich", False),
        ("Correction: that is against p2.0, the pond.", False),
        ("Sorry, I meant p2.0 with the boat.", False),
        ("EDIT: mixed up the numbers, sorry!", False),
        ("Da habe ich die Nummern verwechselt.", False),
        ("Uh, p1.", True),
        ("Sorry, p2.0 is too dear for me.", True),
        ("Hm, p2.0?", True),
        ("Wait for p2.0.", True),
        ("Edit: I like p2.0, too.", True),
        ("I mixed up the numbers of the two buses.", True),
        ("Sorry, wrong one!", False),
        ("nee quatsch, streicht das", False),
        ("Oops, wrong id, I meant o2.", False),
        ("Never mind the bench.", True),
        ("Hold on, Ada: what does it cost?", True),
        ('"scrap that"', True),
        ("~~scrap that~~", True),
        ("Scrap that?", True),
        ("Ada wrote:\nscrap that", True),
        ("Ben (m2) schrieb: streicht das", True),
        ("~~~\nscrap that\n~~~", True),
        ("    scrap that\n    never mind", True),
        ("As Ada wrote: never mind.\nScrap that.", False),
        ("Actually no, forget the above.", False),
        ("_Edit_: ignore this, I misread the cost.", False),
        ("I was too early; please do not count that.", False),
        ("Just thinking aloud here, not a vote.", False),
        ("Forget that, I am not sure.", False),
        ("(Edit: please disregard my line above.)", False),
        ("Hmm, wait. That should have been UNDECIDED.", False),
        ("Das sollte OPPOSE p2 heißen.", False),
        ("Sorry, falsche Nummer, ich meinte p2.", False),
        ("That should have been done by Cid.", True),
        ("Please forget the above-ground tank.", True),
        ("Wrong proposal for a small parish, says Cid.", True),
        ("Joking aside, the figures are good.", True),
        ("No, wait for the audit, Cid.", True),
        ("Wrong, says Cid.", True),
        ("I don't support Cid.", True),
    ],
)
@pytest.mark.parametrize("tag", ["SUPPORT", "OPPOSE", "UNDECIDED", "WITHDRAW"])
def test_a_move_that_is_struck_below_it_counts_for_nobody(tag: str, below: str, counts: bool) -> None:
    """ "[OPPOSE p1.0] too dear", and "just kidding!" below it, was an opposition."""
    who = "Ada" if tag == "WITHDRAW" else "Ben"
    memory = debated(PUT, (who, f"[{tag} p1.0] it is shade\n\n{below}"))
    assert [each.kind for act in memory.unread(who)[1] for each in act.unread_because] == ["said otherwise"] * (
        not counts
    )


@in_one(
    ("text", "on", "told"),
    [
        ("[SUPPORT p1] a\n\nScrap that.\n\n[OPPOSE p2] b", {"p2.0": "oppose"}, True),
        ("[SUPPORT p1] a\n\nTo Cid: no.\n\n[OPPOSE p2] b", {"p1.0": "support", "p2.0": "oppose"}, False),
        ("Oops, wrong id.\n\n[SUPPORT p1] a", {"p1.0": "support"}, False),
        ("[OPPOSE p2] too dear, no, I mean [SUPPORT p1]", {}, True),
        ("[SUPPORT p2] cheap. No, I mean [SUPPORT p1] shade", {"p1.0": "support"}, True),
        ("[SUPPORT p2] cheap. Scrap that.", {}, True),
        ("[SUPPORT p2] too dear. Sorry, wrong proposal, I meant p1.", {}, True),
        ("[OPPOSE p2] Wrong proposal for a small parish.", {"p2.0": "oppose"}, False),
        ("[SUPPORT p1, but not p2] cheap", {}, True),
        ("[SUPPORT p1 > p2]", {}, True),
        ("[SUPPORT p1] cheap\n\nOn second thought, I withdraw that support.", {}, True),
        ("[OPPOSE p2] dear\n\nDas nehme ich zurück.", {}, True),
        ("[OPPOSE p2] dear\n\nI take this.", {"p2.0": "oppose"}, False),
        ("[OPPOSE p2] dear\n\nI take it back to Ada with joy.", {"p2.0": "oppose"}, False),
        ("[OPPOSE p1] dear\n[WITHDRAW my opposition on p1] I take that back.\n\nI take that back.", {}, False),
        ("[OPPOSE p2] too dear, so I am with [SUPPORT p1]", {"p2.0": "oppose"}, True),
        ("[SUPPORT p1] and a bench\n[SUPPORT p2] and a boat\n\nI want to hear Cid before I choose either.", {}, True),
        ("[SUPPORT p1] a\n\nIch will erst Cid hören, bevor ich mich entscheide.", {}, True),
        ("[SUPPORT p1] a\n\nI want to hear Cid before I decide on p2.", {"p1.0": "support"}, False),
        ("[OPPOSE p2] dear\nno, p1\n[SUPPORT p1] a", {"p1.0": "support"}, True),
    ],
)
def test_a_strike_between_two_moves_or_at_the_end_of_a_reason_strikes_what_stands_above_it(
    text: str, on: dict[str, str], told: bool
) -> None:
    """Only a sentence below all of them did: the move above it was counted, and nobody was told."""
    memory = debated(PUT, ("Cid", "[PROPOSE Oak] We plant an oak."), ("Ben", text))
    sides = {each.id: e.reaction for each in memory.proposals for e in each.reactions if e.agent == "Ben"}
    lost = [*memory.unread("Ben")[1]]
    assert (sides, bool(lost)) == (on, told)


@pytest.mark.parametrize(
    ("below", "doubt"),
    [
        ("Ada wrote:\nonly if it is paid", False),
        ("Lena Berg wrote in m4: only if it is paid", False),
        ("~~~\nonly if it is paid\n~~~", False),
        ("[NOTE 700] Ada: only if it is paid", False),
        ("[NOTE 700] Ada wrote: only if it is paid", False),
        ("As Ada wrote: only if it is paid", True),
        ("Ada wrote: only if it is paid. I say the same.", True),
        ("We said: only if it is paid", True),
        ("[NOTE 700] only if it is paid", True),
    ],
)
def test_the_condition_of_another_member_that_is_told_below_a_support_is_not_ones_own(below: str, doubt: bool) -> None:
    """ "Ada wrote:", and her condition below it, made one's own support a perhaps."""
    assert _standing(debated(PUT, ("Ben", f"[SUPPORT p1.0] it is shade\n\n{below}")), "Ben") == (
        "support",
        doubt,
        doubt,
    )


@pytest.mark.parametrize(
    ("why", "counts"),
    [
        ("only if p2.0 wins, mind", False),
        ("bzw. nur falls die Mehrheit p2.0 will", False),
        ("it only works if the county pays", True),
        ("p2.0 covers it", True),
    ],
)
def test_a_text_is_not_withdrawn_under_a_condition(why: str, counts: bool) -> None:
    """It was closed for all, whatever became of the condition."""
    memory = debated(PUT, ("Ada", "[PROPOSE Oak] We plant an oak."), ("Ada", f"[WITHDRAW p1.0] {why}"))
    assert (memory.proposals[0].status == "withdrawn") is counts
    assert [each.kind for act in memory.unread("Ada")[1] for each in act.unread_because] == ["said otherwise"] * (
        not counts
    )


def test_a_note_beside_a_support_may_hold_its_condition() -> None:
    """ "my yes is gone the minute the planks boom" stood as a note below a support in full."""
    memory = debated(PUT, ("Ben", "[SUPPORT p1.0] it is shade\n[NOTE 700 fee] only if the fee goes"))
    assert _standing(memory, "Ben") == ("support", True, True)


@pytest.mark.parametrize(
    ("talk", "stands"),
    [
        ("I still oppose p1.0.", ("oppose", False, False)),
        ("I oppose p1.0 no longer.", None),
        ("I opposed p1.0 before.", None),
        ("I am undecided on p1.0.", None),
    ],
)
def test_an_opposition_is_not_taken_back_beside_words_that_hold_it(
    talk: str, stands: tuple[str, bool, bool] | None
) -> None:
    memory = debated(PUT, ("Ben", "[OPPOSE p1.0]"), ("Ben", f"{talk}\n\n[WITHDRAW my opposition on p1.0]"))
    assert _standing(memory, "Ben") == stands
    assert [each.kind for act in memory.unread("Ben")[1] for each in act.unread_because] == ["said otherwise"] * bool(
        stands
    )


@in_one(
    ("line", "stands"),
    [
        ("[OPPOSE p1.0] - no, forgive me, I mean [OPPOSE p2.0]", {}),
        ("[OPPOSE p1.0] no, forgive me, I mean [OPPOSE p2.0] the oak is dear", {"p2.0": "oppose"}),
        ("[SUPPORT p1.0] nein, ich meine [SUPPORT p2.0], weil sie hält", {"p2.0": "support"}),
        ("[SUPPORT p1.0], no, sorry, [SUPPORT p2.0]", {"p2.0": "support"}),
        ("SUPPORT p1.0 - no, I meant SUPPORT p2.0", {}),
        ("[SUPPORT p1.0] [SUPPORT p2.0]", {"p1.0": "support", "p2.0": "support"}),
        ("[SUPPORT p1.0] cheap [OPPOSE p2.0] dear", {"p1.0": "support", "p2.0": "oppose"}),
        ("[OPPOSE p1.0] no, it is dear, and [OPPOSE p2.0] no, dear, too", {"p1.0": "oppose", "p2.0": "oppose"}),
        ("[OPPOSE p1.0] no shade, as my [OPPOSE p1.0] said", {"p1.0": "oppose"}),
        ("[SUPPORT p1.0] it is shade, oh, rather [OPPOSE p1.0]", {}),
        ("[SUPPORT p1.0] it is shade, unlike the oak that I [OPPOSE p2.0]", {"p1.0": "support"}),
    ],
)
def test_a_move_whose_reason_names_another_text_in_its_place_counts_for_neither(
    line: str, stands: dict[str, str]
) -> None:
    """A slip that its author put right in the same line counted: "[OPPOSE o1] - no, I mean [OPPOSE o2]"."""
    memory = debated(PUT, ("Ben", "[PROPOSE Oak] We plant an oak."), ("Cid", line))
    sides = {text.id: each.reaction for text in memory.proposals for each in text.reactions if each.agent == "Cid"}
    assert sides == stands
    why = {each.kind for act in memory.unread("Cid")[1] for each in act.unread_because}
    assert why == {"said otherwise"} if "p1.0" not in stands or "unlike" in line else not why


@pytest.mark.parametrize(
    ("talk", "stands"),
    [
        ("I am for p1.0 and undecided about p2.0.", "support"),
        ("I am undecided about p2.0 and for p1.0.", "support"),
        ("I am for p2.0 and undecided about p1.0.", None),
        ("I am not sure that I support p1.0 and p2.0.", None),
    ],
)
def test_a_doubt_of_one_text_is_none_of_another_in_its_sentence(talk: str, stands: str | None) -> None:
    """A support of the one was not counted: its own words were said to leave it open."""
    memory = debated(PUT, ("Ben", "[PROPOSE Oak] We plant an oak."), ("Cid", f"{talk}\n\n[SUPPORT p1.0] shade"))
    on = memory.proposals[0].reactions
    assert next((each.reaction for each in on if each.agent == "Cid"), None) == stands


def test_a_condition_that_is_taken_back_is_one_where_it_is_said_back_summed_up_and_listed() -> None:
    """A summary said "supported", and no list of acts or reactions knew it from a support."""
    memory = debated(PUT, RATE, ("Ben", LIFTS))
    (act,) = memory.acts(3)
    assert (act.kind, [each.met for each in memory.reactions]) == ("lift", [False, True])
    lines = lines_of([Quoted(message=3, quote="the rate is fixed")], memory.parts, 3, ENGLISH)[0]
    assert lines == ['Ben took back its condition on p1.0 (m3): "the rate is fixed".']
    whole = lines_of([Quoted(message=2, quote="once the rate is fixed")], memory.parts, 3, ENGLISH)[0]
    assert whole[1:] == lines, "the range of the summary has both"
    assert lines_of([Quoted(message=2, quote="once the rate is fixed")], memory.parts, 2, ENGLISH)[0] == whole[:1]
    moves = (Move("withdraw", target="p1.0", of="condition"),)
    told = say_back(MessagePosted(number=3, who="Ben", text="", moves=moves, line=LineRead(how="counted")), memory)
    assert told is not None
    (line,) = told.lines
    assert line.startswith("Counted: you take back your condition on ")
    assert told.answers == ("taken back",)


@pytest.mark.parametrize(
    ("later", "ends"),
    [
        (("Ben", "Hm.\n\n[SUPPORT p1.0] it is cheap after all"), []),
        (("Ben", "Hm.\n\n[OPPOSE p1.0] too late"), ['Ben opposed p1.0 (m4): "too late".']),
        (("Ben", "Hm.\n\n[WITHDRAW my support of p1.0]"), ["Ben took back its support of p1.0 (m4)."]),
        (("Cleo", "Hm.\n\n[OPPOSE p1.0] too late"), []),
        (("Ben", "I plant nothing."), []),
    ],
)
def test_a_summary_tells_a_side_as_its_member_stood_at_the_end_of_its_range(
    later: tuple[str, str], ends: list[str]
) -> None:
    """ "Bram supported, on a condition, p5.0 (m6)" stood alone in a summary of m1 to m12; he took that back in m10."""
    memory = debated(PUT, ("Cleo", "I listen."), ("Ben", "Well.\n\n[SUPPORT p1.0] it is cheap"), later)
    lines = lines_of([Quoted(message=3, quote="it is cheap")], memory.parts, 4, ENGLISH)[0]
    assert lines == ['Ben supported p1.0 (m3): "it is cheap".', *ends]


def test_a_position_on_another_answer_ends_no_support_and_what_its_message_says_of_one_is_no_older() -> None:
    """ "before: Kofi, who has held another text since" stood where that message took back Kofi's condition on it."""
    talk = (("Ben", "So.\n[SUPPORT o1] if the paint stays"), ("Cleo", "So.\n[SUPPORT o1] it is old"))
    late = (("Ben", "So.\n[WITHDRAW my condition on o1] it stays\n[POSITION] p1.0"), ("Cleo", "So.\n[POSITION] p1.0"))
    table = debated(PUT, *talk, *late, options=("The board stays", "The board goes")).table().text
    assert '    for 2: Ben "it stays", Cleo (now holds p1.0) "it is old"; against nobody' in table


@pytest.mark.parametrize(
    ("later", "left"),
    [
        (["[POSITION] p1.0"], False),
        (["[AMEND p1.0] Pay half in May.", "[POSITION] p3.0"], False),
        (["[POSITION] o2", "[POSITION] p1.0"], True),
        (["[POSITION] o2"], True),
    ],
)
def test_who_repeats_the_position_beside_which_it_supported_an_option_holds_no_other(
    later: list[str], *, left: bool
) -> None:
    """ "before: Henning" stood at o1 where he had said again what he held; who moves on is marked and counted."""
    talk = f"{PUT[1]}\n[SUPPORT o1] it is dry\n[POSITION] p1.0", "Well.\n\n[SUPPORT o1] it is old"
    says = (("Ada", f"So.\n\n{line}") for line in later)
    memory = debated(*zip(("Ada", "Ben"), talk, strict=True), *says, options=("The board stays", "The board goes"))
    assert ("Ada (now holds" in memory.table().text) is left
    assert "for 2: " in memory.table().text


def test_an_author_that_holds_another_wording_now_is_marked_as_those_who_back_its_text_are() -> None:
    """ "Alma (own), Henning (now holds p7.0)" stood where both held p7.0."""
    talk = (("Ben", "So.\n\n[SUPPORT p1.0] it is small"), ("Cleo", "So.\n\n[AMEND p1.0] Pay half in May."))
    held = (("Ada", "So.\n\n[POSITION] p3.0"), ("Ben", "So.\n\n[POSITION] p3.0"))
    assert "for 2: Ada (own; now holds p3.0), Ben (now holds p3.0)" in debated(PUT, *talk, *held).table().text


@pytest.mark.parametrize(
    ("lines", "beside"),
    [
        ((f"{LIFTS}\n[SUPPORT p3.0]\n[POSITION] p3.0",), "Ada (own), Ben (now holds p3.0)"),
        (("[SUPPORT p1.0] it is small", "[POSITION] p3.0"), "Ada (own), Ben (now holds p3.0)"),
        (("[SUPPORT p1.0] it is small", "[POSITION] p3.0 or p1.0, whichever is cheap"), "Ada (own), Ben "),
        (("[POSITION] p3.0", "[SUPPORT p1.0] it is small"), "Ada (own), Ben "),
        (("[SUPPORT p1.0] it is small", "[POSITION] p4.0"), "Ada (own), Ben "),
        (("[SUPPORT p1.0] it is small",), "Ada (own), Ben "),
    ],
)
def test_who_backs_a_wording_and_holds_another_one_as_its_position_is_marked_as_its_author_is(
    lines: tuple[str, ...], beside: str
) -> None:
    """ "Yusra (own; now holds p7.0), Bram": he had supported p5.0 and never held it, and his position was p7.0 too."""
    others = (("Cleo", f"So.\n\n{TWO[1]}"), ("Cleo", "So.\n\n[PROPOSE] We paint the gate."))
    table = debated(PUT, RATE, *others, *(("Ben", f"So.\n\n{line}") for line in lines)).table().text
    assert f"for 2: {beside}" in table
    assert ("Ben (now holds" in table) is ("now holds" in beside)


@pytest.mark.parametrize(
    ("line", "stands"),
    [
        ("[SUPPORT p3.0]", ("support", True, True)),
        ("[SUPPORT p3.0] as before", ("support", True, True)),
        ("[SUPPORT p3.0] if both are watered", ("support", True, False)),
        ("[SUPPORT p3.0] two trees need no fixed rate", ("support", False, False)),
        ("[SUPPORT p3.0]\n\nSo.\n\n[WITHDRAW my condition on p3.0]", ("support", False, False)),
        ("[WITHDRAW my condition on p3.0]\n\nSo.\n\n[SUPPORT p3.0]", ("support", False, False)),
    ],
)
def test_a_condition_follows_to_the_newer_text_unless_a_reason_is_given(
    line: str, stands: tuple[str, bool, bool]
) -> None:
    """A bare support of the newer text counted in full, and its member had set a condition for the older one."""
    condition = ("Ben", "[SUPPORT p1.0] once the rate is fixed")
    memory = debated(PUT, condition, ("Ada", "[AMEND p1.0] We plant two lime trees at the gate."), ("Ben", line))
    (found,) = (each for each in memory.proposals[1].reactions if each.agent == "Ben")
    assert (found.reaction, found.conditional, found.doubt) == stands


def test_a_typed_line_may_take_back_a_condition_on_the_text_that_was_replaced() -> None:
    """The newer text was supported, and a condition on another one was offered as taken back."""
    option = "[PROPOSE] We plant an oak behind the school."
    on_both = ("Ben", "[SUPPORT p1.0] once the rate is fixed\n[SUPPORT p2.0] if the school agrees")
    memory = debated(PUT, ("Cleo", option), on_both, ("Ada", "[AMEND p1.0] We plant two lime trees at the gate."))
    line = "My condition is met, so I support Ada's new text."
    moves = as_moves(read_remark(line, table_rows(memory.motions), "Ben", {}), "Ben", line, memory)
    assert moves == (Move("support", line, "p4.0"),)
    moves = as_moves(read_remark("my condition is met", table_rows(memory.motions), "Ben", {}), "Ben", line, memory)
    assert moves == ()
    moves = as_moves(
        read_remark("my condition on p4.0 is met", table_rows(memory.motions), "Ben", {}), "Ben", line, memory
    )
    assert moves == (Move("withdraw", target="p4.0", of="condition"),)


@pytest.mark.parametrize("before", ["[SUPPORT p1.0] once the rate is fixed", "[SUPPORT p1.0] it is cheap"])
def test_a_support_is_taken_back_whether_or_not_it_has_a_condition(before: str) -> None:
    """ "You do not support it" was told to a member that the table showed for it, on a condition, to the end."""
    memory = debated(PUT, ("Ben", before), ("Ben", "[WITHDRAW my support of p1.0]"))
    assert (_standing(memory, "Ben"), memory.unresolved) == (None, ())


@pytest.mark.parametrize(
    "line", ["[WITHDRAW my opposition to p1.0]", "[WITHDRAW my opposition on p1.0]", "[WITHDRAW] my opposition"]
)
def test_an_opposition_is_taken_back_and_supports_nothing(line: str) -> None:
    memory = debated(PUT, ("Ben", "[OPPOSE p1.0] it blocks the gate"), ("Ben", line))
    assert _standing(memory, "Ben") is None
    assert [act.kind for act in memory.acts(3)] == ["take back"]


def test_why_a_side_was_taken_back_stands_below_its_message() -> None:
    """The reason stood in the log alone."""
    back = "[WITHDRAW my opposition on p1.0] the gate is wider now"
    memory = debated(PUT, ("Ben", "[OPPOSE p1.0] it blocks the gate"), ("Ben", back))
    (act,) = memory.acts(3)
    assert act_line(act) == "takes back its opposition to p1.0: the gate is wider now"


@pytest.mark.parametrize("named", ["p1.0", "p3.0"])
def test_an_opposition_to_a_replaced_text_is_taken_back_by_its_id_or_that_of_the_newer_one(named: str) -> None:
    """ "You are not against p1.0" was told to a member that the table showed against "p1.0 (taken into p3.0)"."""
    joined = ("Ada", "[AMEND p1.0] We close the gate at eight"), ("Ben", f"[WITHDRAW my opposition to {named}]")
    memory = debated(PUT, ("Ben", "[OPPOSE p1.0] it blocks the gate"), *joined)
    assert (_standing(memory, "Ben"), memory.unresolved) == (None, ())


def test_the_house_rules_teach_how_an_opposition_and_a_condition_end() -> None:
    """A careful member could end neither: the docs alone had the moves."""
    (condition,) = re.findall(r"\[WITHDRAW my \w+ on p12\.0\]", house := Prompts().fill("house"))
    assert f"{condition} why; or: my support, my opposition" in house
    for line, before, stands in (
        (condition.replace("condition", "opposition"), "[OPPOSE p1.0] it blocks the gate", None),
        (condition.replace("condition", "support"), "[SUPPORT p1.0] it is shade", None),
        (condition, "[SUPPORT p1.0] once the rate is fixed", ("support", False, False)),
    ):
        memory = debated(PUT, ("Ben", before), ("Ben", line.replace("p12.0", "p1.0")))
        assert _standing(memory, "Ben") == stands


def test_a_text_is_withdrawn_though_the_reason_speaks_of_an_objection() -> None:
    memory = debated(PUT, ("Ada", "[WITHDRAW p1.0] the objection in m2 is right"))
    assert memory.proposals[0].status == "withdrawn"


def test_nobody_takes_back_the_opposition_of_another() -> None:
    memory = debated(PUT, ("Ben", "[OPPOSE p1.0] it blocks the gate"), ("Cleo", "[WITHDRAW my opposition to p1.0]"))
    assert _standing(memory, "Ben") == ("oppose", False, False)
    assert [(each.agent, each.why) for each in memory.unresolved] == [("Cleo", (Unread("not held", "oppose"),))]


@in_one(
    ("words", "conditional"),
    [
        ("das Zeichen steht darin, sofern die Fächer ein Schloss haben", True),
        ("dafür, wenn es ein Schloss gibt", True),
        ("dann bin ich dafür, wenn es ein Schloss gibt", True),
        ("da es billig ist, wenn man rechnet", False),
        ("simple, with a cap at 900", None),
        ("because it can be stopped in the middle, provided the keys stay with us", None),
        ("because it is cheap, if the price holds", None),
        ("because it floods if it rains", False),
        ("fine with a cap at 900", None),
        ("good, as far as the cap holds", None),
        ("as far as I know it is cheap", False),
        ("as long as two helpers are there together", True),
        ("provided two helpers are there", True),
    ],
)
def test_what_careful_members_wrote_as_a_condition_is_no_full_support(words: str, conditional: bool | None) -> None:
    """A support with a limit behind a comma, or in German behind "das ...", stood among those for the text."""
    assert read_condition(words, "support").conditional is conditional


SAND = (
    ("Ada", "So.\n\n[PROPOSE Pit] We dig a second pit by the tennis wall."),
    ("Cleo", "So.\n\n[PROPOSE Frogs] The frogs keep the old pit behind a fence."),
    ("Ben", "So.\n\n[SUPPORT p1.0] if the fair pays the sand"),
    ("Ada", "So.\n\n[AMEND p1.0] We dig a second pit by the tennis wall, with a wooden lid."),
    ("Dan", "So.\n\n[AMEND p2.0 p4.0 Both] The frogs keep the old pit, and the second one has a lid."),
)


@pytest.mark.parametrize("on", ["p1.0", "p4.0", "p5.0"])
def test_a_condition_on_a_text_that_was_replaced_and_then_joined_is_taken_back_by_each_id(on: str) -> None:
    """ "Not counted: no condition of whoever says it stands on it", of the text that joins the newer wording."""
    memory = debated(*SAND, ("Ben", f"So.\n\n[WITHDRAW my condition on {on}] the club pays"))
    assert [act_line(act) for act in memory.acts(6)] == [f"{LIFTED} (the older text, replaced by p4.0): the club pays"]


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("I take back my condition on p1.0, because the club pays.", [("withdraw", "condition", "p1.0")]),
        (
            "I support p5.0. I take back my condition on p1.0, because the club pays.",
            [("support", "", "p5.0"), ("withdraw", "condition", "p1.0")],
        ),
        ("I take back my opposition to p1.0.", None),
        ("I support p1.0.", None),
    ],
)
def test_a_line_takes_back_a_condition_where_it_was_set_though_that_text_was_replaced_and_joined(
    line: str, read: list[tuple[str, str, str]] | None
) -> None:
    """It was offered as one on the text that joins the newer wording, and not counted after the yes."""
    memory, state = debated(*SAND), DebateState()
    message = with_line(MessagePosted(number=6, who="Ben", text=line), state, memory)
    assert message.line is not None
    assert (message.line.how == "counted") is (read is not None)
    assert [(move.kind, move.of, move.target) for move in message.moves] == (read or [])


def test_a_message_of_thousands_of_sentences_below_its_tag_is_looked_through_once() -> None:
    """Its talk was made anew for each of them: 40,000 characters took three minutes."""
    memory = debated(PUT, ("Ben", "[SUPPORT p1.0] it is shade\n" + "\n\n    it grows" * 3000))
    begun = time.process_time()
    assert untagged("Ben", 2, memory) == []
    assert time.process_time() - begun < 5


@in_one(
    ("words", "sure"),
    [
        ("if the bank signs", True),
        ("a fair plan, if the bank signs", True),
        ("it is the cheapest, provided that the bank signs", True),
        ("once the bank has signed", True),
        ("yes, once the bank has signed", True),
        ("it spares the hull, once the bank has signed", False),
        ("Whenever it storms, three boats tear loose.", False),
        ("Once the bank has signed, I am happy to pay.", True),
        ("ask me if you want the list", False),
        ("the list is long, if you want the truth", True),
        ("es schont den Rumpf, sobald die Bank unterschrieben hat", False),
        ("the boats lie dry until the flood comes, once the gate is shut", False),
        ("the boats lie dry; once the gate is shut", True),
        ("Once the gate is shut, I am glad to see them; they are old", True),
        ("we do it like this already, as soon as the last child is home", False),
        ("under the old rule it was closed unless somebody asked", False),
        ("die Halle kostete 40 Euro, wenn wir bis neun probten", False),
        ("die Leute bleiben stehen, wenn sie eine Bank sehen", False),
    ],
)
def test_a_clause_beside_a_statement_that_may_be_a_reason_leaves_its_author_to_say_what_it_is(
    words: str, sure: bool
) -> None:
    """ "We do so already, once they are awake" was a condition outright, and nobody asked."""
    memory = debated(("Ben", f"[SUPPORT o1] {words}"), options=("Dry dock", "Sea"))
    stood = memory.state.given["o1"].standing["Ben"]
    assert (stood.conditional, stood.doubt) == (True, not sure)
    told = [each.message for each in memory.unclear_supports("Ben")]
    assert told == [1] * (not sure)


@pytest.mark.parametrize(
    "tag",
    [
        "[SUPPORT o1 if the bank signs] it is dry",
        "[SUPPORT o1 (once the bank signs)] it is dry",
        "[SUPPORT o1 wenn die Bank unterschreibt] es ist trocken",
        "[SUPPORT o1, solange die Bank zahlt] es ist trocken",
        "[SUPPORT o1 nur mit einem Zaun] es ist trocken",
    ],
)
def test_a_condition_within_a_tag_is_one_in_any_language(tag: str) -> None:
    """Only a few English words were looked for there: "[SUPPORT o1 wenn die Bank zahlt] billig" was full support."""
    memory = debated(("Ben", tag), options=("Dry dock", "Sea"))
    stood = memory.state.given["o1"].standing["Ben"]
    assert stood.conditional
    assert not {"dry", "trocken"} & {*stood.condition.split()}


@in_one(
    ("words", "clause"),
    [
        (
            "fine with me, but the shed has to be locked by nine otherwise im out, i start at four",
            "the shed has to be locked by nine",
        ),
        ("shed locked by nine, else I'm out", "shed locked by nine"),
        ("The shed is locked by nine. Or else I am out.", "The shed is locked by nine"),
        ("I support o1, but the shed, and the yard, are locked, or I'm out", "the shed, and the yard, are locked"),
        (
            "bin dabei, aber um neun muss der schuppen zu sein sonst bin ich raus, muss um vier raus",
            "um neun muss der schuppen zu sein",
        ),
        ("Um neun ist der Schuppen zu. Sonst bin ich dagegen.", "Um neun ist der Schuppen zu"),
        ("der schuppen muss zu sein sonst ohne mich", "der schuppen muss zu sein"),
        ("Otherwise no", "Otherwise no"),
        ("Yes, otherwise no", "Yes, otherwise no"),
        ("Das gibt es sonst nicht", ""),
        ("Somebody else is out", ""),
    ],
)
def test_a_condition_is_what_stands_before_the_consequence_and_never_that(words: str, clause: str) -> None:
    """The verdict had "I am out, I start at four" as what its author's support depended on."""
    read = read_condition(words, "support")
    assert (read.conditional, read.condition, read.told) == (bool(clause), clause, clause)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("With a rope along the steps I back it; without that I do not.", 0),
        ("Der Zaun ist hoch, ohne ihn bin ich raus", 0),
        ("Without it I am out", 0),
        ("without two lamps on the steps, batteries included, I am not with it", 0),
        ("Ohne zwei Lampen am Steg bin ich nicht dabei", 0),
        ("Ada's, as it is", None),
        ("the text as it stands", None),
        ("dry, without a rope I am out", 5),
        ("the net catches whoever falls through", None),
        ("nobody who falls off the bench is hurt", None),
        ("falls die Bank zahlt", 0),
        ("Es sind 20 bis 28 Bänke", None),
        ("bis zum 5. Mai haben wir 20 bis 28 Zeilen, und wenn eine fehlt, sieht man es", None),
    ],
)
def test_what_a_condition_points_back_to_is_told_with_it_and_who_falls_states_none(
    words: str, told: int | None
) -> None:
    """ "On a condition: without them I do not" stood in a verdict, and "falls" of an English reason was a German if."""
    read = read_condition(words, "support")
    assert (read.conditional, read.told) == (told is not None, words[told:].rstrip(".") if told is not None else "")


@pytest.mark.parametrize(
    ("words", "conditional"),
    [
        ("Von 2017 bis 2020 blieb die Scheune auch dann warm, wenn draußen Schnee lag", False),
        ("Sie ist auch dann warm, wenn es schneit", False),
        ("Auch dann nur, wenn der Ofen brennt", True),
        ("wenn meine Tochter anruft, bin ich in drei Minuten daheim", None),
        ("wenn der Ofen brennt, bin ich dabei", True),
        ("wenn der Ofen brennt, bin ich für die Scheune", True),
    ],
)
def test_what_holds_all_the_same_is_no_condition_and_where_its_speaker_is_then_may_be_none(
    words: str, *, conditional: bool | None
) -> None:
    """A barn that stayed warm even when snow lay was "perhaps on a condition", and who comes home a condition."""
    assert read_condition(words, "support").conditional is conditional


@pytest.mark.parametrize("words", ["noch ein auto im hof, und ich bin raus", "one more car in the yard and i'm out"])
def test_a_doubt_that_ends_in_the_consequence_is_told_as_a_whole(words: str) -> None:
    read = read_condition(f"It helps. {words}", "support")
    assert (read.conditional, read.condition) == (None, words)


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("I support o1, but the shed must be locked by nine, or I'm out", ("o1", "the shed must be locked by nine")),
        ("ich bin für o1, aber der schuppen muss zu sein sonst bin ich raus", ("o1", "der schuppen muss zu sein")),
    ],
)
def test_a_typed_line_has_the_condition_before_the_consequence(line: str, act: tuple[str, str]) -> None:
    """It was asked about with no act in it."""
    rows = [{"id": "o1", "by": "", "title": "", "text": "The long walk", "at": 0}]
    read = read_remark(line, rows, "Ben", {})
    assert [(each.on, each.condition) for each in read.acts] == [act]


@pytest.mark.parametrize(
    ("talk", "doubt"),
    [
        ("A ladder at each window and I am with you.", True),
        ("Put a bell on it and you have my vote, Ada.", True),
        ("Gebt mir eine Leiter, und ich bin dabei.", True),
        ("I have read all of it and I am with you.", False),
        ("Ich habe alles gelesen, und ich bin dabei.", False),
    ],
)
def test_what_is_asked_for_before_one_is_in_leaves_a_bare_support_in_doubt(talk: str, *, doubt: bool) -> None:
    memory = debated(("Ben", f"{talk}\n\n[SUPPORT o1]"), options=("Dry dock", "Sea"))
    stood = memory.state.given["o1"].standing["Ben"]
    assert (stood.doubt, stood.condition) == (doubt, talk.rstrip(".") * doubt)


@in_one(
    "words",
    [
        "bis zehn Uhr Ruhe",
        "von neun bis elf Sonne",
        "until noon shade",
        "till dusk children everywhere",
        "until the lease is signed",
        "bis ein Angebot vorliegt",
        "es passt mir, bis Mai",
        "after lunch quiet",
        "wenn ich um vier auf den Markt fahre",
        "when it storms nobody sails",
        "as soon as the bell rings they all run",
        "in case it rains there is a roof",
        "only with a lamp can you see the step",
        "nur mit Lampe sieht man die Stufe",
        "nicht vor zehn kommt die Sonne in den Hof",
        "If I haul for the market, three crates stand in the sun until the van comes",
        "as long as the pipe runs there, nothing else would ever grow",
        "it is as long as the pier is deep",
        "P.S. If the ferry is late, essen wir ohne euch",
        "NB: if you come by bike, use the gate",
        "PS: only if the hall stays open",
    ],
)
def test_a_clause_that_may_always_be_a_reason_is_asked_about_and_never_a_condition_outright(words: str) -> None:
    """A span of time, what stands in a postscript or holds a statement of its own was a condition that nobody set."""
    read = read_condition(words, "support")
    assert read.conditional is None or (read.conditional and not read.sure)


@in_one(
    "words",
    [
        "as long as the hall stays open",
        "it is fine with me if the hall stays open",
        "das ist in Ordnung, solange der Saal offen bleibt",
        "sobald der Vertrag unterschrieben ist",
        "as soon as the lamps are there",
        "when the lamps are there, I'm in",
        "if the hall stays open, and the bar too",
        "if die Halle offen bleibt",
        "Solange die Halle offen bleibt, bin ich dafür",
        "after the bank has signed",
        "if the bank pays, you have my vote",
        "only if the path stays open",
        "nur wenn der Weg offen bleibt",
        "not before the roof is done",
        "nicht bevor das Dach dicht ist",
        "Übernimmt jemand die Kasse, bin ich beim Fest dabei",
        "Gibt es einen Schlüssel, komme ich mit",
    ],
)
def test_a_clause_that_can_only_be_a_condition_is_one_outright(words: str) -> None:
    read = read_condition(words, "support")
    assert (read.conditional, read.sure) == (True, True)


@in_one(
    "words",
    [
        "es ist bis zum Advent zu drucken und leicht zu ändern",
        "that is as soon as the ferry lands",
        "bis elf Uhr kostet es mich eine Fuhre",
        "bis Mittag bringt es mir drei Kunden",
        "Solange der Bach dort läuft, wie er es seit hundert Jahren tut, ist unten ohnehin alles feucht",
        "bis elf Uhr kostet es mich zwei Fuhren, und wenn es im Juli schwül ist, mahle ich sowieso nicht",
        "as long as the pipe runs there, nothing else would grow anyway",
        "the loft is dry and when they sing there they sing loud",
        "90 guests wanted a room, and when they eat here they sleep here",
        "Im Westen blieb das Dach auch dann dicht, wenn an einem Tag 60 Liter fielen",
        "the pantry is dry, so I'm for it",
        "it is cheap and I support it",
        "Der Weg ist kurz, und ich bin dafür",
        "the figures are checked and I'm happy with it",
        "we tried it for a year and I am with you",
        "Die Zahlen sind geprüft, und ich trage es mit",
        "ich habe es gerechnet, und ihr habt mein Ja",
        "it saves a trip and I can live with the noise",
        "Der Vorschlag gefällt mir, und ich bin dabei",
        "the plan is short, and it has my vote",
        "nothing speaks against it and you have me",
        "Ben, in m5 you leave the rail out and you give us the lamps, and I can live with that",
        "40 guests came last spring, and I'm with you",
        "Der Hof bringt uns Licht, und ich bin gern dabei",
        "weil es leise ist, und ich bin dafür",
        "I'm for it, and you have my vote",
        "Eine gute Idee, und ich bin dabei",
        "deshalb bin ich dabei",
        "mein Ja gilt weiter",
        "my yes stands as before",
        "with all my heart I support it",
    ],
)
def test_a_reason_before_a_side_or_of_what_holds_anyway_leaves_a_support_full(words: str) -> None:
    """ "The path is short, and I am for it" was asked about, and "it is ready by May" was a condition outright."""
    assert read_condition(words, "support") == ConditionRead(False)


@in_one(
    "words",
    [
        "Ein Geländer auf beiden Seiten, dann trage ich es mit",
        "Es ist mir gleich, wer fährt: erst die Bremse, dann die Farbe, nur so stimme ich zu",
        "der Lärm nach zehn weg, nur dann trage ich es mit",
        "two euros a crate, then it adds up",
        "fünf Euro Pfand je Kiste, dann bin ich einverstanden",
        "zwei Euro je Kiste, dann rechnet sich das",
        "Der Preis an jeder Kiste, und meine Stimme habt ihr",
        "das Tor zu um zehn, und ihr habt mich",
        "die Miete bezahlt, und ich bin dabei",
        "Jemand übernimmt die Kasse, und ich stimme zu",
        "mein Ja gilt im Umfang von zwei Tagen, mehr nicht",
        "im Rahmen von 300 Euro, darüber nicht",
        "A rail on both sides and you have me",
        "It helps. A rail on both sides, fixed before winter, and you have me.",
        "a rail on both sides, then I can live with it",
        "a week of notice, but only then I'm with you",
        "The keys handed over by Friday and I'm with all of you",
        "a letter that says who is in charge, and I'm with you on the stairs",
        "Two names on the door and the choir is with you",
        "that key in my hand and I'm with you",
        "you fix the lock and I'm in",
        "somebody signs for the keys and you have me",
        "the bank pays and I'm in",
        "cap it at 300 and you have me",
        "with your list and my map on one sheet I can sign this",
        "my yes holds up to 400 euros, not beyond",
    ],
)
def test_what_a_side_is_given_in_return_for_leaves_it_in_doubt(words: str) -> None:
    """Each was a support in full, until minutes listed it: the last clause takes the side, what it names is asked."""
    read = read_condition(words, "support")
    assert (read.conditional, read.alone) == (None, True)
    assert not read.told.startswith(("dann", "then", "und", "and"))


def test_the_title_of_a_text_within_a_tag_is_no_condition() -> None:
    memory = debated(("Ben", "[SUPPORT o1 Dry dock once a year] it is cheap"), options=("Dry dock once a year", "Sea"))
    assert not memory.state.given["o1"].standing["Ben"].conditional


@pytest.mark.parametrize("words", ["Ohne Vorbehalt: bis sieben Uhr war Schatten.", "No condition: until 7 it is dry."])
def test_who_says_at_once_that_there_is_no_condition_is_not_asked_for_one(words: str) -> None:
    assert read_condition(words, "support").conditional is False
    assert read_condition(words.partition(": ")[0] + ", if it is paid", "support").conditional is True


def test_a_time_before_a_main_clause_without_a_comma_is_no_condition_outright() -> None:
    """ "When the cook reads it at 7 the bread is out, and ..." was one, of who takes the text as it is."""
    words = "when the guard looks at nine the gate is shut, and the frogs are asleep until May"
    held = "until a flood is seen there is no ground to shut it"
    assert [read_condition(each, "oppose").sure for each in (held, "until a flood is seen")] == [False, True]
    assert [read_condition(each, "support").sure for each in (words, "when the gate is shut")] == [False, True]


def test_the_point_of_a_german_date_ends_no_sentence_of_a_reason() -> None:
    """ "Bis zum 5" of "bis zum 5. Februar sind es neun Nächte" was the condition of an opposition."""
    read = read_condition(
        "bis zum 5. Februar sind es neun Nächte, und wenn jede anders läuft, hilft es nichts", "oppose"
    )
    assert not (read.conditional and read.sure)
