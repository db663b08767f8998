# What a member did in a message, beside the names of moves; and why a move counts for nobody. Prompts have it, too.

act-misquote = { $on } does not say "{ $text }"
# $end: why the text is closed.
act-older-text = (the older text, { $end })
# What its author is told of a message. $tag: as it was written.
act-no-tag = { $tag }: no move has this tag
act-others-lines = lines in the name of { LIST($who, by: " ") }: write lines for yourself only

# $kind: as a session has it, with - for blanks. $words: what the move names; may be empty. $ids: of texts; $who:
# members; $number: of these ids, or of members with several texts. $made: what message $message made, `p1.0, now p3.0`.
act-unread = { $kind ->
    [names-nothing] it names no text
    [no-such-text] “{ $words }” names no text
    [several] { $words } could be any of several
    [any-of] it could be any of { LIST($ids, by: ", ") }
    [not-heard-yet] { $words } was not to be read yet
    [one-of-a-sentence] its sentence names several texts, and does not say of which it speaks
    [no-open-text] { LIST($who, by: " and ") } has no open text
    [no-text-that-stands] “{ $words }” names no text that stands
    [other-words] { $words } stands no more in the words of then
    [empty] it has no text
    [anothers-name] below a line in { LIST($who, by: " or ") }'s name, so it is not known whose it is
    [quotation] in a quotation or code, with other text in it or announced before it, so it is not known whose it is
    [no-such-id] { $words } does not exist{ GIVEN($made) ->
        [yes] {" "}(m{ $message } made { LIST($made, by: " and ") })
       *[no] {""}
    }
    [part] { LIST($ids, by: " and ") } { $number ->
        [one] says
       *[other] say
    } more than that
    [several-open-texts] { LIST($who, by: " and ") } { $number ->
        [one] has
       *[other] have
    } several open texts{ GIVEN($ids) ->
        [yes] : { LIST($ids, by: ", ") }
       *[no] {""}
    }
    [no-claim] { GIVEN($words) ->
        [yes] { $words }
       *[no] it
    } names no claim of a decision
   *[not-its-author] only { GIVEN($who) ->
        [yes] { LIST($who, by: " or ") }
       *[no] nobody
    } can withdraw { LIST($ids, by: ", ") }
}
