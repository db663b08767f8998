# Was an der Datei eines Menschen falsch ist, und was zu tun ist.

file-unknown-key = '{ $name }' gibt es in { $where } nicht ({ $kind }){ GIVEN($close) ->
    [yes] ; meinten Sie '{ $close }'?
   *[no] {""}
}
file-name-taken = den Namen '{ $name }' hat schon { $path }
file-on-panel = Persona im Gremium { $panel }:
