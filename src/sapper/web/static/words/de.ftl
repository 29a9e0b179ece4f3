### Die Wörter der Seite auf Deutsch; siehe docs/languages.md.

## The frame of the page

skip = Zum Inhalt springen
pages = Seiten
nav-new = Neu
nav-games = Spiele
nav-analyse = Analyse
nav-statistics = Statistik
nav-settings = Einstellungen
missing-page = Diese Seite ist nicht vollständig angekommen, darum kann noch nicht gespielt werden. Es ist nichts verloren.
try-again = Noch einmal versuchen
no-page-at = Unter { $place } gibt es keine Seite.
screen-title = { $title } – sapper
title-new = Neues Spiel
title-game = Spiel
title-statistics = Statistik
title-settings = Einstellungen
title-review = Rückblick
title-games = Spiele
title-analyse = Analyse
title-recording = Aufzeichnung
title-practice = Übung
game-missing = Dieses Spiel gibt es hier nicht. Vielleicht wurde es aufgegeben, oder es gehört zu einem anderen Browser.
game-lost-again = Das eben begonnene Spiel ist nicht wiederzufinden. Entweder wurde es anderswo aufgegeben, oder dieser Browser hat das Cookie nicht behalten, das sagt, wer du bist: Erlaube Cookies für diese Seite und spiele dann.
no-cookies = Dieser Browser behält keine Cookies dieser Seite. Eines sagt, wer du bist: Ohne es ist kein Spiel wiederzufinden. Erlaube Cookies für diese Seite und spiele dann.
server-away = Der Server ist gerade nicht zu erreichen. Es ist nichts verloren: Diese Seite macht von selbst weiter, sobald es geht.
part-tried-again = Ein Teil dieser Seite ist nicht angekommen. Er wird noch einmal geholt.
part-held-back = Ein Teil dieser Seite kommt nicht an, obwohl der Server antwortet. Vielleicht hält ihn etwas dazwischen zurück, etwa eine Erweiterung des Browsers, die Skripte blockiert.
bad-link = Dieser Link führt zu keinem Brett. { $fault }

## What goes wrong

error-away = Der Server ist nicht zu erreichen. Diese Seite macht von selbst weiter, sobald es geht.
error-slow-down = Das war viel auf einmal. Warte ein paar Sekunden und versuche es dann noch einmal.
error-busy = Der Server hat gerade viel zu tun. Versuche es gleich noch einmal.
error-failed = Das war zu viel Arbeit, oder der Server hat einen Fehler gemacht. Versuche es gleich noch einmal.
error-not-found = Dieses Spiel gibt es hier nicht, oder es ist nicht freigegeben, oder seine Züge sind nicht aufbewahrt.
error-forbidden = Diese Seite gehört zu einem anderen Server. Öffne sie neu.
error-conflict = Zu viele Spiele sind nicht beendet. Beende eines oder gib eines auf, bevor du das nächste beginnst.
error-too-large = Das ist zu lang für diesen Server.
error-status = Der Server hat mit { $status } geantwortet. Versuche es gleich noch einmal.
error-detail = Das geht nicht. Der Server sagt dazu: { $detail }
error-at-line = Zeile { $line }, Zeichen { $character }: { $detail }
give-up-failed = Das Spiel konnte nicht aufgegeben werden. Versuche es gleich noch einmal.
refused-went-on = Das Spiel wurde inzwischen anderswo verändert: Das wurde nicht ausgeführt.
refused-busy = Noch mit der letzten Frage beschäftigt: einen Moment.
refused-slow-down = Zu schnell: Das wurde nicht angenommen.
refused-too-long = Dieses Spiel hat mehr Züge, als irgendein Spiel braucht: Es kann nur noch beendet werden.
refused-illegal-move = Dieser Zug ist hier nicht möglich.
refused = Das ging nicht. Versuche es noch einmal.
not-sent = Keine Verbindung: Das wurde nicht gesendet.

## Numbers, times and chances

seconds = { $number }~s
percent = { $number }~%
under-percent = unter { $number }~%
over-percent = über { $number }~%
about-percent = etwa { $number }~%
fraction = { $number } von { $of }
range = { $low }–{ $high }

## Boards and their cells

tile-covered = verdeckt
tile-flagged = Flagge
tile-question = Fragezeichen
tile-empty = leer
tile-mine = Mine
tile-exploded = explodierte Mine
tile-wrong-flag = falsche Flagge, keine Mine
board = Brett
board-label =
    Brett, { $width ->
        [one] 1 Spalte
       *[other] { $width } Spalten
    }, { $height ->
        [one] 1 Zeile
       *[other] { $height } Zeilen
    }, { $mines ->
        [one] 1 Mine
       *[other] { $mines } Minen
    }
shown-board-label =
    { $label }, { $width ->
        [one] 1 Spalte
       *[other] { $width } Spalten
    }, { $height ->
        [one] 1 Zeile
       *[other] { $height } Zeilen
    }
size =
    { $width }~×~{ $height }, { $mines ->
        [one] 1~Mine
       *[other] { $mines }~Minen
    }
no-guessing = ohne Raten
any-first-cell = beliebige erste Zelle
preset-custom = Eigenes
preset-beginner = Anfänger
preset-beginner8 = Klein
preset-intermediate = Fortgeschritten
preset-expert = Profi
preset-kata = Kata
preset-engine = Engine
preset-formal = Formal
preset-jminesweeper-1 = JMinesweeper 1
preset-jminesweeper-2 = JMinesweeper 2
preset-jminesweeper-3 = JMinesweeper 3

## The menu

tagline = Minesweeper, das dir sagen kann, warum.
play = Spielen
games-played = gespielte Spiele:{" "}
games-won = gewonnene Spiele:{" "}
choose-board = Wähle ein Brett
own-board = Eigenes
own-board-hint = Jede Größe, ohne Raten, ein Code
card-best = beste Zeit { $time }
how-to-play = Spielregeln
new-here = Neu hier?
guide-reveal = Decke jede Zelle auf, unter der keine Mine liegt. Eine Zahl zählt die Minen in den acht Zellen um sie herum.
guide-sample = Hier ist die Zelle mit dem Haken sicher: Die 2 links über ihr hat schon ihre beiden Minen.
guide-mouse = Klicken deckt auf, Rechtsklick setzt eine Flagge. Hat eine Zahl alle ihre Flaggen, deckt ein Klick auf sie den Rest um sie herum auf.
guide-touch = Tippen deckt auf, Halten setzt eine Flagge. Hat eine Zahl alle ihre Flaggen, deckt ein Tippen auf sie den Rest um sie herum auf.
guide-stuck = Geht es nicht weiter? Der Hinweis zeigt den nächsten Schritt und seinen Grund.
go-on-with =
    { $count ->
        [one] Spiel fortsetzen
       *[other] Ein Spiel fortsetzen
    }
show-all-games = Alle { $count } zeigen
game-so-far = bisher { $time } · { $share } aufgedeckt
give-up = Aufgeben
give-up-game = Aufgeben: { $game }
give-up-question = Dieses Spiel aufgeben?
give-up-text = { $game }, nach { $time }. Es zählt als gespielt und nicht gewonnen.
keep-it = Behalten
cancel = Abbrechen

## Room for one more game

give-up-oldest = Das älteste Spiel aufgeben?
give-up-before = Das vorige Spiel aufgeben?
give-up-oldest-text = Zu viele Spiele sind nicht beendet. Das älteste ist { $game }, nach { $time }. Aufgegeben zählt es als gespielt und nicht gewonnen.
give-up-before-text = Nach diesen Regeln hat man nur ein unbeendetes Spiel zugleich. Es ist { $game }, nach { $time }. Aufgegeben zählt es als gespielt und nicht gewonnen.
give-up-and-play = Aufgeben und spielen

## A new game

start-open = Eine Fläche
start-safe = Eine sichere Zelle
start-any = Irgendetwas
first-reveal-shows = Das erste Aufdecken zeigt
no-guess = Ohne Raten
no-guess-hint = Ein Brett, das Logik allein lösen kann. Die Suche danach kann einen Moment dauern.
chording = Akkorde
chording-mouse = Ein Klick auf eine Zahl mit allen ihren Flaggen deckt den Rest um sie herum auf.
chording-touch = Ein Tippen auf eine Zahl mit allen ihren Flaggen deckt den Rest um sie herum auf.
questions = Fragezeichen
questions-mouse = Ein zweiter Rechtsklick macht aus einer Flagge ein Fragezeichen.
questions-touch = Ein zweites Halten macht aus einer Flagge ein Fragezeichen.
own-rules = Diese bringen eigene Regeln mit, auch die für das erste Aufdecken.
other-rules = Bretter mit anderen Regeln
width = Breite
height = Höhe
mines = Minen
code-field = Code, Link oder Startzahl
a-board-of-any-size = Ein Brett beliebiger Größe
same-board-again = Dasselbe Brett noch einmal
start-game = Spiel beginnen
several-sizes = { $width }~×~{ $height }, { $counts } Minen
seed-too-large = Eine Startzahl ist höchstens { $most }.
not-a-code = Das ist weder ein Code noch ein Link noch eine Startzahl (eine ganze Zahl).
code-note = Der Code sagt alles über das Brett, darum gibt es sonst nichts zu wählen. Das Spiel gilt als unterstützt: Seine Minen könnten bekannt sein.
seed-note = Dieselbe Startzahl und dieselbe Wahl ergeben überall dasselbe Brett. Das Spiel gilt als unterstützt: Seine Minen könnten bekannt sein.
no-code-note = Lass das leer für ein neues Brett.
no-whole-width = Die Breite ist eine ganze Zahl von { $least } bis { $most }.
no-whole-height = Die Höhe ist eine ganze Zahl von { $least } bis { $most }.
wrong-width = Die Breite kann { $least } bis { $most } sein.
wrong-height = Die Höhe kann { $least } bis { $most } sein.
too-many-cells = { $cells } Zellen sind zu viele: Dieser Server spielt bis zu { $most }.
no-room-for-mine = Das lässt keinen Platz für eine Mine.
wrong-mines = Auf diesem Brett können es 1 bis { $most } Minen sein.
no-guess-too-large = Bretter ohne Raten können bis zu { $most } Zellen haben; dieses hat { $cells }.
density-stroll = { $share } der Zellen sind Minen: ein Spaziergang.
density-beginner = { $share } der Zellen sind Minen, etwa wie bei Anfänger.
density-intermediate = { $share } der Zellen sind Minen, etwa wie bei Fortgeschritten.
density-expert = { $share } der Zellen sind Minen, etwa wie bei Profi.
density-harder = { $share } der Zellen sind Minen: schwerer als Profi.
density-luck = { $share } der Zellen sind Minen: Zum Gewinnen braucht es viel Glück.

## The game

box-time = Zeit: { $seconds }s
box-mines = Minen: { $count }
box-flags = Flaggen: { $count }
end = Beenden
new-game = Neues Spiel
new-game-hint = Ein weiteres Spiel dieser Art
tools = Werkzeuge
tool-undo = Zurück
tool-undo-hint = Den letzten Zug zurücknehmen. Das Spiel gilt als unterstützt.
tool-redo = Wiederholen
tool-redo-hint = Den zurückgenommenen Zug wieder machen.
tool-pause = Pause
tool-pause-hint = Das Brett verdecken und die Uhr anhalten.
tool-hint = Hinweis
tool-hint-hint = Der nächste Schritt und sein Grund. Das Spiel gilt als unterstützt.
tool-guess = Darf ich raten?
tool-guess-hint = Ob irgendeine Zelle sicher frei ist. Das Spiel gilt als unterstützt.
tool-overlay = Chancen
tool-overlay-hint = Die Wahrscheinlichkeit jeder Zelle, eine Mine zu sein. Das Spiel gilt als unterstützt.
tool-flagMode = Flaggen setzen
tool-flagMode-hint = Tippen setzt eine Flagge, Halten deckt auf.
tool-names = Koordinaten
tool-names-hint = Buchstaben und Zahlen am Rand des Bretts, wie in c4.
tool-turn = Drehen
tool-turn-hint = Spalten als Zeilen: Ein breites Brett passt auf einen schmalen Schirm.
tool-more = Mehr
tool-more-hint = Die übrigen Werkzeuge
tool-smaller = Kleiner
tool-smaller-hint = Kleinere Zellen
tool-larger = Größer
tool-larger-hint = Größere Zellen
tool-fit = Einpassen
tool-fit-hint = Das ganze Brett im Blick
game-title = Spiel: { $title }
looking-for-board = Ein Brett ohne Raten wird gesucht …
paused = Pause
go-on = Weiter
close = Schließen
notes = Meldungen
assisted = unterstützt: { $how }
assisted-hints =
    { $count ->
        [one] 1 Hinweis
       *[other] { $count } Hinweise
    }
assisted-undone =
    { $count ->
        [one] 1 Zug
       *[other] { $count } Züge
    } zurückgenommen
assisted-overlay = Chancen gezeigt
assisted-aided = Hilfe beim Flaggen
assisted-practice = Übung aus einer Stellung
assisted-seen = ein bekanntes Brett
start-no-guess = Beginne bei der markierten Zelle: Von dort aus muss nicht geraten werden.
start-marked = Beginne bei der markierten Zelle: Für sie ist das Brett gemacht.
too-hard = Das herauszufinden ist hier zu viel Arbeit.
may-guess = Ja: Keine Zelle ist sicher frei.
may-not-guess = Nein: Mindestens eine Zelle ist sicher frei. Ein Hinweis würde sie zeigen.
you-may-guess = Keine Zelle ist sicher frei: Du darfst raten.
hint-spoken = Hinweis: { $sentence }
step-before = Schritt davor
step-after = Schritt danach
step-of = Schritt { $number } von { $count }
least-risk = kleinstes Risiko: { $risk }
elsewhere = anderswo { $chance }
chances-too-hard = Chancen: zu viel Arbeit auf diesem Brett
win-chance = Gewinnchance: { $chance }
win-unknown-rules = Die Gewinnchance wird nur ausgerechnet, wo allein das Aufdecken gewinnt.
win-unknown-size = Die Gewinnchance ist nicht bekannt: Das Brett ist zu groß, um es durchzuspielen.
win-unknown-library = Die Gewinnchance ist nicht bekannt: Diesem Server fehlt die native Bibliothek, die Bretter durchspielt.
legend-safe = war sicher frei
legend-mined = war sicher eine Mine
start-over-question = Dasselbe Brett von vorn?
start-over-text = Das laufende Spiel wird aufgegeben, und das neue gilt als unterstützt.
start-over = Von vorn
keep-playing = Weiterspielen
end-question = Dieses Spiel beenden?
end-text = Es zählt als gespielt und nicht gewonnen.
end-it = Beenden
untouched = Das ist ein neues Spiel: Noch ist nichts aufgedeckt.
tap-flags = Tippen setzt eine Flagge.
tap-reveals = Tippen deckt auf.
game-gone = Dieses Spiel gibt es nicht mehr.
connected-again = Wieder verbunden.
move-lost = Dein letzter Zug wurde nicht gemacht.
connection-lost = Die Verbindung ist unterbrochen.
server-restarts = Der Server wird neu gestartet. Das Spiel bleibt erhalten und geht gleich weiter.
server-unreachable = Der Server ist nicht zu erreichen. Das Spiel bleibt erhalten; diese Seite versucht es weiter.
connection-lost-trying = Die Verbindung ist unterbrochen. Das Spiel bleibt erhalten; neuer Versuch …
paused-away = Pausiert, während du weg warst: Das Spiel zählt, seine Zeit nicht.

## What is said of a game, for the ear

said-undone =
    Zurückgenommen: { $count ->
        [one] 1 Zelle
       *[other] { $count } Zellen
    } wie vorher.
said-restarted = Dasselbe Brett von vorn.
said-paused = Pause. Das Brett ist verdeckt.
said-went-on = Das Spiel geht weiter.
said-working = Ein Brett ohne Raten wird gesucht.
said-revealed =
    { $count ->
        [one] 1 Zelle
       *[other] { $count } Zellen
    } aufgedeckt.
said-flags-around =
    { $count ->
        [one] 1 Flagge
       *[other] { $count } Flaggen
    } ringsum
said-taken-away = { $what } entfernt
said-flag-taken-away = Flagge entfernt
mines-left =
    noch { $count ->
        [one] 1 Mine
       *[other] { $count } Minen
    }
flags-too-many =
    { $count ->
        [one] 1 Flagge
       *[other] { $count } Flaggen
    } zu viel
count-flags =
    { $count ->
        [one] 1 Flagge
       *[other] { $count } Flaggen
    }
count-seconds =
    { $count ->
        [one] 1 Sekunde
       *[other] { $count } Sekunden
    }
said-won =
    Gewonnen in { $count ->
        [one] 1 Sekunde
       *[other] { $count } Sekunden
    }.
said-given-up = Ende: aufgegeben.
said-over = Ende.
said-mine-at = Ende: Mine bei { $cell }.
saved-now = Das Ergebnis ist jetzt gespeichert.
not-saved-yet = Das Ergebnis ist noch nicht gespeichert: Der Server versucht es weiter.
cell-read = vom Hinweis gelesen
cell-is-mine = ist eine Mine
cell-is-safe = ist sicher
cell-is-best = die beste Zelle zum Aufdecken
cell-was-safe = war sicher frei
cell-was-mined = war sicher eine Mine
cell-chosen = dieser Zug
cell-better = ein besserer Zug
cell-contradicts = widerspricht anderen Zahlen
cell-start = hier beginnen
cell-chance = { $chance } Mine
last-safe = { $cell } war sicher frei.
last-safe-risk = { $cell } war sicher frei; das eingegangene Risiko war { $risk }.
last-safe-more = { $cell } war sicher frei und { $more } weitere.
last-safe-more-risk = { $cell } war sicher frei und { $more } weitere; das eingegangene Risiko war { $risk }.
last-no-less = Nichts war sicher frei: Das Risiko war { $risk }, und weniger war nicht zu haben.
last-least = Nichts war sicher frei: Das Risiko war { $risk }, das kleinste { $least }.

## The end of a game

victory = Gewonnen
game-over = Verloren
end-time = Zeit
end-network = Netz { $number } ms
end-network-hint = Von deinem Klick bis zur Antwort des Servers: der Median dieses Spiels. Die Zeit enthält ihn.
end-3bv = 3BV
end-3bv-hint = Klicks, die dieses Brett ohne Flaggen braucht
end-3bv-solved = 3BV gelöst
end-3bv-solved-hint = von den Klicks, die dieses Brett ohne Flaggen braucht
end-of = { $part } von { $whole }
end-speed = 3BV/s
end-efficiency = Effizienz
count-clicks =
    { $count ->
        [one] 1~Klick
       *[other] { $count }~Klicks
    }
play-again = Noch einmal
same-board = Dasselbe Brett
review = Rückblick
share = Teilen
menu = Menü
best-time-yet = ★ Deine beste Zeit auf dieser Art Brett.
ordinal-one = { $number }.
ordinal-two = { $number }.
ordinal-few = { $number }.
ordinal-other = { $number }.
nth-best = { $nth } Platz deiner { $count } Siege auf dieser Art Brett.
assisted-apart = Unterstützt ({ $how }): zählt nicht zu deinen Bestzeiten.
paused-win = Pausiert: Der Sieg zählt, die Zeit nicht.
you-gave-up = Du hast dieses Spiel aufgegeben.
you-gave-up-safe =
    Du hast dieses Spiel aufgegeben. { $count ->
        [one] 1 Zelle war
       *[other] { $count } Zellen waren
    } sicher frei, auf dem Brett umrandet.
you-gave-up-guess = Du hast dieses Spiel aufgegeben. Nichts war sicher frei: Es musste geraten werden.
last-certain-mine = Dein letzter Zug traf mit Sicherheit eine Mine.
last-risk = Dein letzter Zug hatte ein Risiko von { $risk }.
needless-guess-where =
    Unnötig geraten: { $count ->
        [one] 1 Zelle war
       *[other] { $count } Zellen waren
    } sicher frei, auf dem Brett umrandet. { $last }
needless-guess = Unnötig geraten. { $last }
forced-bad-luck = Raten war nötig, und du hattest Pech: Keine Zelle war sicher frei, und kein Zug hatte ein kleineres Risiko als deine { $risk }.
forced-not-best = Raten war nötig: Keine Zelle war sicher frei. { $last } Der beste hatte { $best }.

## Sharing a board

share-title = Dieses Brett teilen
share-text = Wer den Link öffnet, spielt dieselben Minen.
share-link = Link
share-code = Code
share-seed = Startzahl { $seed }
share-send = Senden …
share-message = Spiel dieses Brett:
done = Fertig
copy = Kopieren
copy-what = Kopieren: { $what }
copied = Kopiert.
copy-selected = Es ist markiert: Kopiere es mit Strg+C, oder halte den Finger darauf.

## Reasons: what follows, and why

technique-start = Beginn
technique-one-clue = eine Zahl
technique-overlap = Überschneidung
technique-pattern = Muster
technique-mine-count = Minenzahl
technique-cases = Fälle
technique-guess = Raten
pattern-hole = Loch
list = { $first } und { $last }
cells-more = { $count } weitere
conclude-mined =
    { $count ->
        [one] { $cells } ist eine Mine
       *[other] { $cells } sind Minen
    }
conclude-safe =
    { $count ->
        [one] { $cells } ist sicher
       *[other] { $cells } sind sicher
    }
conclude-both = { $mined }, { $safe }
wrong-flags =
    { $conclusion }; { $count ->
        [one] die Flagge auf { $cells } ist falsch
       *[other] die Flaggen auf { $cells } sind falsch
    }
wrong-flags-first =
    { $conclusion }; { $count ->
        [one] die Flagge auf { $cells } ist falsch: Entferne sie zuerst
       *[other] die Flaggen auf { $cells } sind falsch: Entferne sie zuerst
    }
step-start-anywhere = Das erste Aufdecken trifft nie eine Mine, wo auch immer: Beginne bei { $cell }.
step-start-at = Das Spiel beginnt bei { $cell }, dort ist keine Mine.
step-one-clue-zero = { $clue } zeigt 0: { $conclusion }.
step-one-clue-safe =
    { $clue } zeigt { $value }, und { $value ->
        [one] seine Mine ist
       *[other] seine { $value } Minen sind
    } { $mines }: { $conclusion }.
step-one-clue-mined =
    { $clue } zeigt { $value } und hat nur noch { $need ->
        [one] 1 verdeckten Nachbarn
       *[other] { $need } verdeckte Nachbarn
    }: { $conclusion }.
step-one-clue-mined-beside =
    { $clue } zeigt { $value } und hat neben { $mines } nur noch { $need ->
        [one] 1 anderen verdeckten Nachbarn
       *[other] { $need } andere verdeckte Nachbarn
    }: { $conclusion }.
clue-says = { $clue } zeigt { $value }
clue-needs = { $clue } braucht außer { $mines } noch { $value }
step-overlap-mined =
    { $first }, { $second }, und von den noch unentschiedenen Zellen um { $larger } { $count ->
        [one] berührt
       *[other] berühren
    } nur { $cells } nicht { $smaller }: { $conclusion }.
step-overlap-safe = { $first }, { $second }, und jede noch unentschiedene Zelle um { $smaller } liegt auch an { $larger }: { $conclusion }.
step-pattern = { $clues } sind eine { $pattern } in einer Reihe: { $conclusion }.
step-pattern-less = { $clues } sind eine { $pattern } in einer Reihe, wenn man { $mines } abzieht: { $conclusion }.
step-mine-count-none = Es ist keine Mine mehr übrig: { $conclusion }.
step-mine-count-all =
    { $left ->
        [one] 1 Mine ist
       *[other] { $left } Minen sind
    } übrig und ebenso viele verdeckte Zellen: { $conclusion }.
step-mine-count-need =
    { $left ->
        [one] 1 Mine ist
       *[other] { $left } Minen sind
    } übrig, und { $clues } { $count ->
        [one] braucht
       *[other] brauchen
    } { $left ->
        [one] sie
       *[other] sie alle
    }: { $conclusion }.
step-mine-count-elsewhere =
    { $left ->
        [one] 1 Mine ist
       *[other] { $left } Minen sind
    } übrig, höchstens { $taken } davon um { $clues }, und anderswo { $count ->
        [one] ist nur 1 verdeckte Zelle
       *[other] sind nur { $count } verdeckte Zellen
    }: { $conclusion }.
step-mine-count-fewest =
    { $left ->
        [one] 1 Mine ist
       *[other] { $left } Minen sind
    } übrig, die wenigsten, die { $clues } { $count ->
        [one] zulässt
       *[other] zulassen
    }: { $conclusion }.
step-mine-count-most =
    { $left ->
        [one] 1 Mine ist
       *[other] { $left } Minen sind
    } übrig, die meisten, die { $clues } { $count ->
        [one] zulässt
       *[other] zulassen
    }: { $conclusion }.
step-cases-board-one =
    Das einzige Minenfeld mit { $mines ->
        [one] 1 Mine
       *[other] { $mines } Minen
    }, das zum Brett passt, zeigt es: { $conclusion }.
step-cases-board-two =
    Beide Minenfelder mit { $mines ->
        [one] 1 Mine
       *[other] { $mines } Minen
    }, die zum Brett passen, stimmen überein: { $conclusion }.
step-cases-board =
    Alle { $layouts } Minenfelder mit { $mines ->
        [one] 1 Mine
       *[other] { $mines } Minen
    }, die zum Brett passen, stimmen überein: { $conclusion }.
step-cases-one = In der einzigen Anordnung der Minen um { $clues } gilt: { $conclusion }.
step-cases-two = In beiden Anordnungen der Minen um { $clues } gilt: { $conclusion }.
step-cases = In jeder der { $layouts } Anordnungen der Minen um { $clues } gilt: { $conclusion }.
layouts-power = { $digits } × 10^{ $power }
guess-none = Es ist keine verdeckte Zelle mehr zu wählen.
guess-unknown = In der Zeit wurde keine sichere Zelle gefunden; { $cell } ist geraten, das Risiko ist nicht bekannt.
guess-kaboom = Keine Zelle ist sicher frei, also ist jedes Raten sicher: Kaboom bestraft nie ein nötiges Raten.
guess-first = { $cell } ist als erstes Aufdecken sicher; { $wins }.
guess-safe = { $cell } ist sicher: In keinem passenden Minenfeld liegt dort eine Mine; { $wins }.
guess-least = Keine sichere Zelle; das kleinste Risiko ist { $risk } bei { $cell }, und { $wins }.
guess-least-blank = Es ist nichts aufgedeckt, was eine Zelle sicher machte; das kleinste Risiko ist { $risk } bei { $cell }, und { $wins }.
guess-least-only = Keine sichere Zelle; das kleinste Risiko ist { $risk } bei { $cell }.
guess-level = Keine sichere Zelle; { $cell } hat ein Risiko von { $risk }, und { $wins }.
guess-better-as-risky = { $cell }: so riskant wie { $other }, aber { $tells }: { $wins }.
guess-better = { $cell }: ein Risiko von { $risk }, wo { $other } { $otherRisk } hat, aber { $tells }: { $wins }.
guess-equal = Keine sichere Zelle; ein Risiko von { $risk }, und nichts gewinnt öfter.
tells-more = es verrät mehr
tells-decides = es entscheidet { $cells }
wins-unknown = wie oft das gewinnt, ist nicht bekannt
wins-certain = du gewinnst sicher
wins = du gewinnst { $chance }
wins-instead = du gewinnst { $chance } statt { $other }
forced-even = { $cells } sind ein unvermeidbares 50/50.
unflag-first = Seine Flagge muss zuerst entfernt werden.

## Verdicts on moves

verdict-first = erster Zug
verdict-safe = sicher
verdict-right-guess = richtig geraten
verdict-wrong-guess = falsch geraten
verdict-needless-guess = unnötig geraten
verdict-certain-mine = sichere Mine
verdict-mark = Markierung
verdict-wrong-flag = falsche Flagge
verdict-unknown = nicht beurteilt
verdict-survived = { $verdict }, überlebt
verdict-bad-luck = { $verdict }, Pech
verdict-good-luck = { $verdict }, Glück
verdict-lost = { $verdict }, verloren
move-risk = Risiko { $risk }
move-to-win = Gewinn { $before } → { $after }
missed-safe =
    { $count ->
        [one] 1 Zelle war
       *[other] { $count } Zellen waren
    } sicher frei.
made-chord-mines = Der Akkord hat { $cells } aufgedeckt.
made-chord-certain = Eine von { $cells }, die der Akkord aufgedeckt hat, war sicher eine Mine.
made-certain = Was aufgedeckt wurde, war sicher eine Mine.
made-chord-guess =
    Von dem, was der Akkord aufgedeckt hat, { $count ->
        [one] war { $cells }
       *[other] waren { $cells }
    } nicht sicher.
made-risk = Der gemachte Zug hat ein Risiko von { $risk }.
made-risk-wins = Der gemachte Zug hat ein Risiko von { $risk } und gewinnt { $made } statt { $best }.
made-kaboom-right = Keine sichere Zelle, und Kaboom macht ein nötiges Raten sicher.
made-kaboom-wrong = Kaboom beantwortet unnötiges Raten mit einer Mine.
flag-is-safe = { $cell } ist sicher: In keinem passenden Minenfeld liegt dort eine Mine.
cells-not-mines = { $cells } können keine Minen sein.
left-out =
    Davor fehlen in der Aufzeichnung { $count ->
        [one] 1 Zug
       *[other] { $count } Züge
    }.
sum-accuracy = Genauigkeit
sum-accuracy-hint = der Anteil der Gewinnchance, den deine Wahl erhalten hat; 100 % ist bestes Spiel
sum-cost = Preis der Wahl
sum-cost-hint = was Züge, die nicht die besten waren, von der Gewinnchance nahmen
sum-luck = Glück
sum-luck-hint = was die Antworten zur Gewinnchance hinzufügten oder davon nahmen
sum-guesses = Geraten
sum-guesses-hint = { $forced } nötig, { $needless } unnötig
sum-survived = Überlebt
sum-survived-none = von keinem Raten ist das Risiko bekannt
sum-survived-hint = { $number } waren zu erwarten
sum-mistakes = Fehler
sum-mistakes-hint = Züge, die nicht die besten waren

## Looking through a game

review-fetching = Das Spiel wird geholt …
review-judging = Die Züge werden beurteilt …
review-incomplete = Nur die ersten { $count } Züge wurden beurteilt: Der Rest dauert zu lange.
review-title = Rückblick: { $game }
review-hidden = Dieses Brett wird noch einmal gespielt, darum werden seine Minen nicht verraten: Bis jenes Spiel beendet ist, gibt es nur, was das Spiel selbst gezeigt hat.
your-games = Deine Spiele
result-won = Gewonnen
result-lost = Verloren
result-terminated = Aufgegeben
fact-3bv =
    { $solved } 3BV in { $clicks ->
        [one] 1~Klick
       *[other] { $clicks }~Klicks
    }
fact-speed = { $speed } 3BV/s
fact-assisted = unterstützt
play-this-board = Dieses Brett spielen
share-game = Allen zeigen, die den Link haben
share-game-hint = Züge, Zeiten und Urteile; sonst nichts über dich.
share-game-link = Link dieses Spiels
moves = Züge
moves-folded = Züge { $first } bis { $last }
turning-point = Wendepunkt: Zug { $number }
move-label = Zug { $number }: { $words }
before-first = Vor dem ersten Zug.
moment = Zug { $number } von { $count }, { $time }
all-reasons = Alle { $count } Gründe
play-on = Von hier weiterspielen
analyse-this = Diese Stellung analysieren
review-chances-too-hard = Die Chancen sind auf diesem Brett zu viel Arbeit.
said-least = Kleinstes Risiko { $risk }.
said-least-win = Kleinstes Risiko { $risk }, Gewinnchance { $win }.
move-reveal = { $cell } aufgedeckt
move-chord = Akkord auf { $cell }
move-flag = Flagge auf { $cell }
move-unflag = Flagge von { $cell } entfernt
move-question = Fragezeichen auf { $cell }
move-unquestion = Fragezeichen von { $cell } entfernt
move-terminate = Aufgegeben
moments = Momente des Spiels
player-move = Zug
player-play = Abspielen
player-pause = Pause
player-first = Anfang
player-back = Zurück
player-forward = Vor
player-last = Ende
player-speed = Tempo
player-keys = ← → Pos1 Ende, Leertaste spielt ab, + − Tempo
player-at = Zug { $number } von { $count }
curve-label = Gewinnchance Zug um Zug
curve-move = Zug
curve-win = Gewinn

## The analyser

columns = Spalten
rows = Zeilen

## Practice

practice-title = Stellungen, die ich falsch gespielt habe

## Games that have ended

review-recording = Eine Aufzeichnung ansehen
best-times = Bestzeiten
result-assisted = { $result }, unterstützt

## Settings

language = Sprache
theme = Farbschema
palette = Farben der Zahlen
motion = Bewegung
thumb = Werkzeuge auf dem Telefon
hold = Halten
sound = Ton
advisor = Raten in Hinweisen

## Keys

key-space = Leertaste
key-escape = Esc
key-delete = Entf

## Bretter des Tages, Namen und Ranglisten

title-daily = Bretter des Tages
title-rankings = Ranglisten
title-name = Name und Phrase
title-honesty = Wie fair sind die Ranglisten?
attempt-question = Deinen Versuch am Brett des Tages beenden?
attempt-help-text = Ein Hinweis, Chancen oder Zurück beenden deinen Versuch: Er zählt nicht, und es gibt keinen zweiten. Das Brett lässt sich weiterspielen.
attempt-help = Trotzdem Hilfe
attempt-end-text = Dein Versuch endet hier. Er zählt als nicht gewonnen, und es gibt keinen zweiten.
attempt-end = Versuch beenden
attempt-void = Es zählt nicht für das Brett des Tages.
name = Name
daily-menu = Für alle dieselben
error-not-yet = Das ist das Brett eines Tages, der nicht vorbei ist: Es wird um 01:00 UTC des nächsten gezeigt.
preset-daily-beginner = Anfänger des Tages
preset-daily-intermediate = Fortgeschritten des Tages
preset-daily-expert = Profi des Tages

### What follows is needed neither by the menu nor by a game nor by its review: it is sent by itself, to modules that import later_words.js.

## Boards and their cells

safe-first-cell = sichere erste Zelle

## A new game

for-new-games = Gilt für neue Spiele.

## The game

elsewhere-sentence = Anderswo ist jede Zelle zu { $chance } eine Mine.

## Looking through a game

recording-title = Eine Aufzeichnung
recording-drop = Leg eine Aufzeichnung hierher oder wähle eine aus
recording-formats = AVF (Arbiter), RMV (Viennasweeper), EVF (Metasweeper), MVF (Minesweeper Clone), RAWVF und Aufzeichnungen von sapper (JSON); höchstens 1~MB. Sie wird nur für dich beurteilt und nicht aufbewahrt.
recording-too-large = Diese Datei ist größer als 1~MB, so groß ist keine Aufzeichnung eines Spiels.
recording-reading = Die Aufzeichnung wird gelesen und beurteilt …

## The analyser

analyse-title = Eine Stellung analysieren
position = Stellung
analyse-empty = Leeres Brett
analyse-show = Zeigen
analyse-play = Von ihr weiterspielen
analyse-copy = Link kopieren
analyse-paste = Oder füge eine Stellung, einen Code, einen Link oder eine Spielkennung von Simon Tathams Mines ein
paint-with = Malen mit
paint-covered = Verdeckt
paint-keys = Auf dem Brett: Pfeile gehen, 0 bis 8, F und Entf malen eine Zelle, die Leertaste malt mit dem Gewählten.
analyse-too-large = Ein Brett hat hier höchstens 10.000 Zellen, und keine Seite ist länger.
analyse-wrong-mines = Ein Brett hat von 0 Minen bis zu einer in jeder Zelle.
analyse-nothing = Füge zuerst etwas ein: Zeilen eines Bretts, einen Code, einen Link oder eine Spielkennung.
analyse-copy-failed = Kopiere die Adresse dieser Seite: Die Stellung steht darin.
reasons-title = Gründe, Schritt für Schritt
nothing-follows = Aus dem, was zu sehen ist, folgt nichts.
position-lost = Eine Mine ist aufgedeckt: Dieses Spiel ist verloren.
position-won = Jede Zelle ohne Mine ist aufgedeckt: Dieses Spiel ist gewonnen.
layouts-one = Ein Minenfeld passt.
layouts-fit = { $layouts } Minenfelder passen.
layouts-about = Etwa { $layouts } Minenfelder passen.
layouts-too-hard = Diese Stellung auszuzählen ist zu viel Arbeit: Was trotzdem sicher ist, ist markiert.
win-chance-sentence = Gewinnchance: { $chance }.
no-win-chance = Die Gewinnchance ist hier nicht bekannt.
not-known = unbekannt
no-clue-tells = keine Zahl wird mehr verraten
candidate = Kandidat
risk = Risiko
wins-column = Gewinnt
candidates = Kandidaten
candidates-caption = Zellen, die das Aufdecken lohnen, die beste zuerst
contradiction-clue =
    Zur { $value } bei { $cell } passt kein Minenfeld: Neben ihr { $mines ->
        [one] ist 1 bekannte Mine
       *[other] sind { $mines } bekannte Minen
    } und { $covered ->
        [one] 1 verdeckte Zelle
       *[other] { $covered } verdeckte Zellen
    }.
contradiction-clues = Zu { $clues } zusammen passt kein Minenfeld.
contradiction-clues-count =
    Zu { $clues } mit { $mines ->
        [one] 1 Mine
       *[other] { $mines } Minen
    } in { $covered ->
        [one] 1 verdeckten Zelle
       *[other] { $covered } verdeckten Zellen
    } passt kein Minenfeld.
contradiction-count =
    Kein Minenfeld passt: { $mines ->
        [one] 1 Mine kann
       *[other] { $mines } Minen können
    } nicht in { $covered ->
        [one] 1 verdeckten Zelle
       *[other] { $covered } verdeckten Zellen
    } liegen.
contradiction-shown =
    Kein Minenfeld passt: Das Brett zeigt { $mines ->
        [one] 1 Mine
       *[other] { $mines } Minen
    } und hat nur { $most }.
clue-at = { $value } bei { $cell }

## Practice

practice-about = Aus deinen eigenen Spielen: Züge, die ein unnötiges oder ein zu großes Risiko eingingen. Wähle eine Zelle mit einem Klick oder mit den Pfeilen und der Leertaste.
practice-looking = Deine Spiele werden durchgesehen …
practice-older = Ältere Spiele werden durchgesehen …
practice-next = Nächste Stellung
practice-game = Das Spiel dazu
practice-needless = Eine Zelle ist sicher frei. Welche würdest du aufdecken?
practice-mine = Hier hast du eine sichere Mine aufgedeckt. Welche Zelle würdest du jetzt aufdecken?
practice-wrong = Keine Zelle ist sicher frei. Welches Raten gewinnt am öftesten?
practice-picked-mine = Die gewählte Zelle ist sicher eine Mine.
practice-picked-risk = Die gewählte Zelle ist zu { $risk } eine Mine.
practice-right = Richtig.
practice-is-wrong = Falsch.
practice-same = Das hast du auch im Spiel getan.
practice-score =
    { $right } von { $count ->
        [one] 1 Stellung
       *[other] { $count } Stellungen
    } richtig.
practice-done =
    In { $count ->
        [one] 1 Spiel
       *[other] { $count } Spielen
    } ging sonst nichts schief.
practice-none = Spiele zuerst ein paar Spiele: Was darin schiefgeht, erscheint hier.

## Games that have ended

games-caption = Beendete Spiele, das letzte zuerst
column-game = Spiel
column-result = Ergebnis
column-time = Zeit
column-speed = 3BV/s
column-efficiency = Effizienz
column-when = Wann
all-boards = Alle Bretter
all-results = Alle Ergebnisse
all-time = Gesamte Zeit
last-day = Der letzte Tag
last-week = Die letzten 7 Tage
last-month = Die letzten 30 Tage
last-year = Das letzte Jahr
filter-board = Brett
filter-result = Ergebnis
filter-when = Wann
no-such-games = Keine solchen Spiele.
more-games = Mehr Spiele

## Statistics

category = Spiele
category-plain = Ohne Hilfe
category-assisted = Unterstützt
period = Zeitraum
all-finished-games = Alle beendeten Spiele
from-all = Zeiten verschiedener Bretter lassen sich nicht vergleichen: Wähle oben ein Brett, um seine Zeiten zu sehen.
kept-where = Deine Spiele liegen auf diesem Server unter einem zufälligen Namen in einem Cookie und sonst nirgends.
end-sessions = Meine anderen Sitzungen beenden
end-sessions-question = Deine anderen Sitzungen beenden?
end-sessions-text = Wer in einem anderen Browser oder mit einer Kopie deines Cookies als du spielt, kann es nicht mehr. Dieser Browser macht weiter.
end-sessions-yes = Beenden
end-sessions-no = Lassen
sessions-ended = Deine anderen Sitzungen sind beendet.
forget-me = Alles über mich vergessen
forget-question = Alles über dich vergessen?
forget-text = Alle deine Spiele und Statistiken auf diesem Server werden gelöscht, auch unbeendete Spiele. Das lässt sich nicht rückgängig machen.
forget-yes = Alles vergessen
number-played = Gespielt
number-won = Gewonnen
number-rate = Quote
number-win-rate = Gewinnquote
number-best = Beste
number-median = Median
number-streak = Siege in Folge
number-best-time = Bestzeit
number-median-time = Mittlere Zeit
number-speed = 3BV/s
number-efficiency = Effizienz
number-lost = { $count } verloren
number-given-up = { $count } aufgegeben
number-unfinished = { $count } nicht beendet
number-between = zwischen { $low } und { $high }
number-best-streak = beste: { $count }
number-of-wins = von Siegen
by-kind = Brett für Brett
as-table-of = { $title }, als Tabelle
more-kinds = und { $count } weitere Arten, seltener gespielt
explain-title = Was die Zahlen bedeuten
explain-played = Jedes Spiel mit einem ersten Zug, auch aufgegebene und laufende. Die Startseite zählt Spiele mit und ohne Hilfe zusammen.
explain-assisted = Spiele mit Hinweisen, zurückgenommenen Zügen, gezeigten Chancen, Hilfe beim Flaggen oder auf einem bekannten Brett. Sie setzen keine Bestzeiten.
explain-rate = Der Anteil gewonnener Spiele. Darunter, wo die wahre Quote mit 95 % Sicherheit liegt, Glück eingerechnet.
explain-3bv = Die wenigsten Klicks, die ein Brett ohne Flaggen aufdecken: ein Maß seiner Größe.
explain-speed = 3BV durch Sekunden: wie schnell ein Spiel war, unabhängig vom Brett.
explain-efficiency = 3BV durch Klicks: 100 % ist je ein Klick; Flaggen, die Klicks sparen, können darüber führen.
explain-median = Die Hälfte deiner Siege war schneller, die Hälfte langsamer.
empty-filtered = Keine solchen Spiele
empty-filtered-text = Wähle ein anderes Brett oder einen längeren Zeitraum.
empty-assisted = Keine unterstützten Spiele
empty-assisted-text = Spiele mit Hinweisen, zurückgenommenen Zügen, gezeigten Chancen, Hilfe beim Flaggen oder bekannten Brettern zählen hier, getrennt von deinen Bestzeiten.
empty-plain = Noch nichts
empty-plain-text = Spiele ein Spiel: Hier steht dann, wie oft du gewinnst, deine besten und üblichen Zeiten, deine Serien und wie viel Glück du hattest.
best-times-of = Bestzeiten: { $kind }
best-times-caption = Die schnellsten Siege: { $kind }
as-table = Als Tabelle
luck-title = Glück im Lauf der Zeit
luck-about = { $count }-mal geraten, { $forced }-mal nötig und { $needless }-mal unnötig. Über der gestrichelten Linie hast du das Raten öfter überlebt, als nach den Risiken zu erwarten war: Glück.
luck-axis = Glück
column-from = Ab
column-guesses = Geraten
column-needless = Unnötig
column-survived = Überlebt
column-expected = Erwartet
rate-title = Gewinnquote im Lauf der Zeit
rate-about-band =
    { $won } von { $count ->
        [one] 1 Spiel
       *[other] { $count } Spielen
    } gewonnen. Im Band liegt die wahre Quote mit 95 % Sicherheit.
rate-about-line =
    { $won } von { $count ->
        [one] 1 Spiel
       *[other] { $count } Spielen
    } gewonnen. Auf der Linie liegt die wahre Quote mit 95 % Sicherheit.
rate-axis = gewonnene Spiele
column-around = Um
column-interval = 95-%-Intervall
wins-title = Zeiten deiner Siege
wins-about = Die Linie folgt deiner Bestzeit: jetzt { $best }.
column-best-so-far = Bisher beste
yes = ja
axis-time = Zeit
axis-wins = Siege
times-title = Wie sich deine Zeiten verteilen
times-about = Siege nach Zeit, in Schritten von { $step }.
times-from-to = { $from } bis { $to }
column-wins = Siege
risks-title = Risiken und was daraus wurde
risks-about =
    { $exploded } von { $count ->
        [one] 1 riskanten Zug
       *[other] { $count } riskanten Zügen
    } explodierten. Auf der gestrichelten Linie ist das Glück ausgeglichen; darunter hattest du Glück.
axis-risk = Risiko
axis-exploded = explodiert
column-moves = Züge
column-exploded = Explodiert
column-share = Anteil

## Settings

settings-looks = Aussehen
settings-play = Spiel
settings-keys = Tasten
automatic = Automatisch
theme-light = Hell
theme-dark = Dunkel
palette-classic = Klassisch
palette-clear = Deutlich
palette-hint = Deutlich ist für jedes Farbsehen, mit Zeichen unter den Zahlen.
digits-label = Die Zahlen 1 bis 8 in diesen Farben
coordinates-hint = Buchstaben für die Spalten und Zahlen für die Zeilen am Rand der Bretter, wie in c4.
motion-less = Weniger
click-chord-mouse = Akkord mit einem Klick
click-chord-touch = Akkord mit einem Tippen
click-chord-mouse-hint = Ein einzelner Linksklick auf eine Zahl gibt einen Akkord. Sonst die mittlere Taste, beide, oder die Taste auf der Tastatur.
click-chord-touch-hint = Ein Tippen auf eine Zahl gibt einen Akkord. Sonst ein Halten.
open-at-release = Aufdecken, wo die Maustaste losgelassen wird
open-at-release-hint = Aus: Drücken auf einer und Loslassen auf einer anderen Zelle deckt keine auf.
dim-satisfied = Zahlen mit allen Flaggen abdunkeln
not-own-rules = { $hint } Nicht auf Brettern mit eigenen Regeln.
less-flags = Zahlen abzüglich ihrer Flaggen
less-flags-hint = Eine 3 mit einer Flagge daneben zeigt 2.
marks-game = { $hint } Das Spiel gilt als unterstützt. Nicht auf dem Brett des Tages und nicht auf Brettern mit eigenen Regeln.
click-flags-mouse = Klick auf eine Zahl flaggt die Zellen um sie herum
click-flags-touch = Tippen auf eine Zahl flaggt die Zellen um sie herum
click-flags-hint = Hat eine Zahl genau so viele verdeckte Zellen um sich herum, wie sie sagt, werden alle geflaggt.
right-flags-mouse = Rechtsklick auf eine Zahl flaggt die Zellen um sie herum
right-flags-touch = Halten einer Zahl flaggt die Zellen um sie herum
flag-button = Flaggenknopf auf Touchscreens
flag-button-hint = Ein Knopf, mit dem Tippen Flaggen setzt.
thumb-hint = Die Seite des Daumens, der spielt: Dort ist der Flaggenknopf.
thumb-right = Rechts
thumb-left = Links
hold-hint = Wie lange du für einen langen Druck hältst.
hold-short = Kurz
hold-normal = Normal
hold-long = Lang
sound-hint = Kurze, leise Töne für Züge und das Ende.
advisor-best-reply = Beste Antwort
advisor-second-opinion = Zweite Meinung
advisor-playouts = Durchspielen
advisor-hint = Das Verfahren, das die Zelle zum Raten wählt, wo keine sicher ist. Durchspielen dauert länger: Es spielt das Spiel von jeder dieser Zellen aus viele Male weiter.
reset-settings = Alle Einstellungen zurücksetzen
reset-settings-question = Alle Einstellungen zurücksetzen?
reset-settings-text = Aussehen, Gewohnheiten und Tasten werden wie bei deinem ersten Besuch. Spiele und Statistik bleiben.
install = sapper auf diesem Gerät installieren
reset = Zurücksetzen

## Keys

action-up = Hoch
action-down = Runter
action-left = Links
action-right = Rechts
action-reveal = Zelle aufdecken
action-flag = Flagge
action-chord = Akkord (um eine Zahl aufdecken)
action-undo = Zug zurück
action-hint = Hinweis
action-status = Minen, Flaggen und Zeit ansagen
action-pause = Pause
action-new = Neues Spiel
action-same = Dasselbe Brett
action-end = Aufgeben
key-arrow-up = Pfeil hoch
key-arrow-down = Pfeil runter
key-arrow-left = Pfeil links
key-arrow-right = Pfeil rechts
key-remove = Entfernen
key-remove-label = { $action }: { $key } entfernen
key-add = Taste hinzufügen
key-add-label = Taste hinzufügen: { $action }
key-none = keine Taste
key-press = Taste drücken …
key-press-for = Drücke die Taste für „{ $action }“. Tab oder ein Klick anderswo lässt alles, wie es ist.
key-removed = { $action }: { $key } entfernt.
key-added = { $action }: { $key } hinzugefügt.
key-of-browser = Diese gehört dem Browser. Drücke eine andere, ohne Strg oder Alt.
key-already = { $key } ist schon eine Taste für „{ $action }“.
key-taken = { $key } ist vergeben
key-taken-text = Sie ist die Taste für „{ $action }“. Eine Taste kann nur eines tun.
key-use = Für „{ $action }“ verwenden
key-leave = So lassen
key-moved = { $key } steht jetzt für „{ $action }“, nicht mehr für „{ $before }“.
keys-reset = Alle Tasten zurücksetzen
keys-are-reset = Alle Tasten sind wie am Anfang.

## Bretter des Tages, Namen und Ranglisten

daily-rules = Ab Mitternacht UTC für alle dieselben Bretter, ohne Raten, mit aufgedecktem Anfang. Dein erster Versuch zählt, wenn er ohne Hilfe bleibt und binnen einer Stunde endet. Die Uhr läuft mit dem Brett los und hält nie an.
daily-left =
    Die nächsten Bretter kommen in { $hours ->
        [one] 1~Stunde
       *[other] { $hours }~Stunden
    } und { $minutes ->
        [one] 1~Minute
       *[other] { $minutes }~Minuten
    }.
daily-streak =
    { $days ->
        [one] Serie: 1~Tag
       *[other] Serie: { $days }~Tage
    }
daily-play = Spielen
daily-go-on = Weiterspielen
daily-share = Ergebnis kopieren
daily-copied = Kopiert: { $text }
daily-counts =
    { $attempts ->
        [one] 1~Versuch
       *[other] { $attempts }~Versuche
    }, { $won } gewonnen
daily-open = Begonnen: Die Uhr läuft.
daily-not-counted = zählt nicht
daily-void = Mit Hilfe gespielt oder zu lange: Es zählt nicht.
daily-held = Jemand sieht es sich an, bevor es zählt.
daily-table = { $day }
daily-none = An diesem Tag gab es hier kein Brett.
daily-published = Lage der Minen, Beweis und Spiele werden am { $when } veröffentlicht.
daily-play-again = Dieses Brett spielen
daily-proof = Beweis, dass man nicht raten muss (JSON)
difficulty-trivial = trivial
difficulty-easy = leicht
difficulty-medium = mittel
difficulty-hard = schwer
difficulty-extreme = sehr schwer
day-before = Tag davor
day-after = Tag danach
place-of = Platz { $place }
better-than = besser als { $share }
no-places = Noch keine Plätze. Ein Platz braucht einen Namen und 30 beendete gewertete Spiele früherer Tage.
no-ranks = Noch keine Plätze. Nur wer einen Namen hat, wird gezeigt.
more-places = Mehr Plätze
calendar = Kalender
calendar-caption = Deine Versuche der letzten Wochen
calendar-day =
    { $day }: { $attempts ->
        [one] 1~Versuch
       *[other] { $attempts }~Versuche
    }, { $won } gewonnen
column-name = Name
column-value = Bestes
filter-measure = Sortiert nach
measure-time = Zeit
measure-speed = 3BV/s
measure-efficiency = Effizienz
measure-no-flag = Zeit ohne Flaggen
measure-streak = Siege in Folge
measure-skill = Können
skill-title = Können ohne Glück
skill-about = Die Gewinnchance, die deine eigenen Entscheidungen je Spiel gekostet haben, das Glück nicht mitgezählt, über die letzten 100 Spiele. Wer aufgibt oder sich helfen lässt, verliert die ganze Chance, die noch da war; ein nach 24 Stunden nicht beendetes Spiel gilt als aufgegeben. Für einen Platz braucht es 30 Spiele.
column-lost = Verloren
column-lost-below = Höchstens
column-games = Spiele
period-day = Heute
period-week = Diese Woche
period-season = Dieses Quartal
period-ever = Immer
own-place = Dein Platz: { $place }, { $value }
own-place-far = Du bist jenseits der ersten 10.000 Plätze: { $value }
name-about = Mit einem Namen erscheinst du in Ranglisten, und deine gewerteten Spiele kann jeder ansehen. Ohne Namen sieht dich niemand.
name-rules = 1 bis 20 Buchstaben, Ziffern und Leerzeichen einer Schrift; keiner, der wie der eines anderen aussieht. Er verfällt nach einem Jahr ohne Spiel.
name-is = Dein Name: { $name }
name-none = Du hast keinen Namen. Ein Name braucht { $needed } beendete gewertete Spiele; du hast { $games }.
name-save = Namen speichern
name-drop = Namen entfernen
name-done = Gespeichert.
name-refused = Dieser Name geht nicht: Jemand heißt so oder ähnlich, er hat andere Zeichen, oder du hast noch nicht genug gespielt.
phrase-title = Wiederherstellungsphrase
phrase-about = Mit einer Phrase bist du auf einem anderen Gerät dieselbe Person, oder hier, wenn Cookies gelöscht wurden. Sie wird einmal gezeigt.
phrase-new = Neue Phrase machen
phrase-warning = Eine frühere Phrase gilt dann nicht mehr, und deine Sitzungen in allen anderen Browsern enden. Schreibe die neue auf: Sie wird nicht wieder gezeigt.
devices-title = Angemeldet
devices-about = Browser und Programme, in denen du angemeldet bist. Was abgemeldet ist, kommt nur mit der Wiederherstellungsphrase zurück.
device-own = (dieser)
device-unknown = Unbekannt
device-seen = Zuletzt benutzt am { $day }
device-sign-out = Abmelden
device-sign-out-of = Abmelden: { $name }
device-own-warning = Dieser Browser wird jemand Neues. Nur deine Wiederherstellungsphrase meldet ihn wieder an.
recover-title = Mit Phrase anmelden
recover-done = Du bist wieder { $name }.
recover-unnamed = dieselbe Person
recover = Wiederherstellen
recover-join = Hier gespielte Spiele sind auch meine
recover-failed = Niemand hat diese Phrase.
unseen-title = Was man nicht sehen kann
unseen-solver = Der Server sieht keinen Löser, den jemand neben der Seite laufen lässt und dessen Rat er von Hand folgt. Das sieht aus wie ein guter Spieler.
unseen-second-look = Der Server sieht nicht, ob jemand ohne Namen das Brett des Tages ein zweites Mal ansieht. Darum braucht ein Platz einen Namen und 30 beendete gewertete Spiele früherer Tage, und eine Zeit weit jenseits des eigenen Rekords wartet auf einen Menschen.
unseen-skill = Der Server sieht nicht, woher eine Entscheidung kam. Auch was ein Löser rät, zählt als gute Entscheidung, ebenso was sich beim Durchspielen vom Besten nicht unterscheiden lässt.
unseen-account = Der Server sieht nicht, wer spielt. Wer das Cookie oder die Phrase eines Spielers hat, spielt unter dessen Namen.
seen-title = Was man sieht
seen-dealt = Der Server teilt jedes Brett aus und sieht jeden Zug nach seiner eigenen Uhr. Niemand kann ein Ergebnis einreichen.
seen-replayed = Ein Schiedsrichter spielt jedes gewertete Spiel nach, bevor es zählt.
seen-help = Spiele mit Hinweisen, Chancen, Zurücknehmen, Hilfe beim Flaggen, Pausen oder Neustarts und Bretter mit Code zählen nicht.
seen-hands = Spiele, die schneller oder gleichmäßiger sind, als Menschen spielen, zählen erst, wenn der Betreiber sie geprüft hat.
seen-delay = Zeiten sind die des Servers. Der Weg eines Zuges durch das Netz ist darin, bei allen.
