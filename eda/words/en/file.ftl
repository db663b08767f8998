# What is wrong with a file that a person gives, and what to do. $what: what it is about: 'key', item 2 of 'key'.

# $close: the nearest key; empty where none is near. $kind: `key` or another name for one; $where: what has such keys.
file-unknown-key = '{ $name }' is no { $kind } of { $where }{ GIVEN($close) ->
    [yes] ; did you mean '{ $close }'?
   *[no] {""}
}
file-name-taken = the name '{ $name }' is taken by { $path }
# Before the name of one that there is not. $panel: quoted.
file-on-panel = persona on panel { $panel }:
