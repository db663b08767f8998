# Where a member stands on the text decided, by what it declared.

# $text: id of an older text. $clause: the condition in the member's words.
stood-stance =
    { $stance ->
        [support] for
        [oppose] against
       *[neutral] undecided
    }{ $older ->
        [joined] {" "}{ $text }, which it joins
        [older] {" "}{ $text }, from which it comes
       *[no] {""}
    }{ $condition ->
        [told] , on a condition
        [clause] , on a condition ({ QUOTED($clause) })
        [doubt] , perhaps on a condition ({ QUOTED($clause) })
       *[no] {""}
    }

stood-head =
    { $older ->
        [joined] Of this text, and of those that it joins:
       *[older] Of this text, and of those that it comes from:
    }
