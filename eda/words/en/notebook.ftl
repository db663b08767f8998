# What a notebook shows of a debate.

# $decided: the verdict in brief; `no vote` where there was none. $session: its name, quoted.
# $vain: how many answers of each member failed or repeated the member; $runner: who gave them.
notebook-result = <Result { $decided }; { $messages } messages, { $reason }, session { $session }{ GIVEN($vain) ->
    [yes] ; of { $runner } in vain: { $vain }
   *[no] {""}
}>
notebook-messages = { $messages } of at most { $most } messages
notebook-last = The last { $last } of { $number } messages
# $cost: what is known of it; may be empty.
notebook-not-priced = { GIVEN($cost) ->
    [yes] { $cost } not all priced
   *[no] not priced
}
