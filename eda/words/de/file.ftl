# Was an der Datei eines Menschen falsch ist, und was zu tun ist.

file-unknown-key = '{ $name }' gibt es in { $where } nicht ({ $kind }){ GIVEN($close) ->
    [yes] ; meinten Sie '{ $close }'?
   *[no] {""}
}
file-add-line = Fügen Sie eine Zeile hinzu, die dies angibt: { $what }.
file-no-slug = { $what } { $given } besteht nicht nur aus Kleinbuchstaben, Ziffern und Bindestrichen
file-long = { $what } ist länger als { $most } Zeichen
file-item = Eintrag { $number } von '{ $name }'
file-name-taken = den Namen '{ $name }' hat schon { $path }
file-on-panel = Persona im Gremium { $panel }:
