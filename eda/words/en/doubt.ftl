# What of a ballot is in doubt after its voter was asked about it, and how it counts.

# $texts: ids of texts, or their words.
doubt-refuses = its reason refuses { $texts }, which it accepts (counted)
doubt-refused = its reason at first refused { $texts }, which it accepts (counted)

# $message: its number.
doubt-opposed = it accepts { $texts }, which its voter opposed in m{ $message } (counted)
doubt-prose = in prose it names { $texts } beside its vote (not counted)
doubt-abstains = it abstains, and wants { $texts } beside the answer all the same (not counted)
doubt-answer = it names { $texts } beside an answer, where no option can stand (not counted)
doubt-none = it is for none of the texts, and lists some all the same (counted for none)

# $words: what the voter wrote.
doubt-unknown = it names { QUOTED($words) }, which is no text of the ballot (left out)
doubt-denied = where it says { QUOTED($words) }, it denies { $texts } (left out)
doubt-condition = where it says { QUOTED($words) }, it names { $texts } on a condition (left out)
doubt-sense = where it says { QUOTED($words) }, it is not clear whether it means { $texts } (left out)
doubt-several = where it says { QUOTED($words) }, it names { $texts } at once (left out)
doubt-twice = it names { $texts } twice (counted once)
doubt-list = a list in it cannot be read (left out)

# $doubts: several of these.
doubt-all = { LIST($doubts, by: "; ") }

# $told: doubt-all, beside what the ballot says.
doubt-ballot = In doubt: { $told }.

# What the voter is asked about its ballot. $kind: the doubt; $texts: those it is about, $titled the same with their
# titles, $one the first of them, $rest the others, $count how many; $field: of the answer, empty for prose; $told: what
# the voter wrote there, in quotes; $at: a message; $ended: what became of a closed text that it names.
doubt-asked = { $kind ->
    [refuses] the reason refuses { $texts }, which the ballot accepts: leave { $texts } out of `ranking`, or say in the reason that you accept it
    [refused-at-first] the reason at first refused { $texts }, which the ballot accepts: leave { $texts } out of `ranking`, or say in the reason that you accept it
    [opposed] the ballot accepts { $texts }, which you opposed in { $at }
    [none-but-lists] `choice` is none, which refuses every text, but texts are listed: make the best the `choice`, or list none
    [abstains-beside] the ballot abstains, so its `also` ({ $texts }) does not count: accept a text or `none`, and it does, or abstain and leave `also` empty
    [answer-beside] `also` names { $texts }: an option, or a wording of one, can be the answer and stand beside no other
    [twice] `{ $field }` names { $one } twice
    [no-list] `{ $field }` must be a list of options
    [not-in-words] `{ $field }` must name options in words
    [abstains-and-votes] the ballot abstains and votes at once
    [no-truth-value] `{ $field }` must be true or false
    [not-first] `choice` is { $one }, which is not the first of `ranking`: { $rest }
    [blocked-and-approved] `blocked` and `approved` name the same option
    [choice-left-out] `approved` leaves out { $one }, which is the choice
    [no-choice] the answer names no text that it accepts, and neither `none` nor `abstain`
    [several-choices] `choice` names { $count } choices: { $one }, { $rest }
    [no-scores] the ballot gives no `scores`, from 0 to 10, and they are what is counted
    [scores-unreadable] `scores` must give each option a number
    [score-out-of-range] the score of { $one } must be a number from 0 to 10
    [scores-unsaid] the ballot gives figures, and does not say which texts they accept
    [no-order] it is not clear in which order the ballot accepts { $texts }, or whether they are tied
    [other-words] { GIVEN($one) ->
        [yes] it names { LIST($texts, by: ", ") }; {""}
       *[no] {""}
    }it is not clear what { GIVEN($told) ->
        [yes] { $told }
       *[no] the answer
    } accepts or refuses
    [two-votes] the ballot votes in two ways
    [question] the ballot asks something of { $texts }
   *[named] { GIVEN($field) ->
        [yes] `{ $field }` says { $told }, which
       *[no] { $kind ->
            [unknown] { GIVEN($one) ->
                [yes] { $one }
               *[no] the answer
            }
           *[read] { GIVEN($told) ->
                [yes] { $told }
               *[no] the answer
            }
        }
    }{ $kind ->
        [on-a-condition] {" "}names { $one } on a condition or with a doubt
        [another-sense] {" "}denies what { $one } says, or leaves out what that denies
        [two-texts] {" "}could mean { LIST($titled, by: " or ") }: name the one that you mean by its id
        [several-texts] {" "}could mean { LIST($titled, by: " or ") }: name each that you accept by its id, best first
        [no-vote] {" "}speaks of { $one } without a vote for it
       *[unknown] { GIVEN($ended) ->
            [yes] {" "}was { $ended } and is not one of the texts to vote on
           *[no] {" "}is not one of the texts to vote on
        }
    }
}
# $ids: of all texts to vote on; $none: whether none of them is an answer, too.
doubt-open = { $none ->
    [yes] { LIST($ids, by: ", ") }, or none
   *[no] { LIST($ids, by: ", ") }
}
