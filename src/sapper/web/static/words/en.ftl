### The words of the web game's page in English. Fluent's syntax (projectfluent.org); ~ is a space at which no line breaks.
### docs/languages.md says how a language is added.

## The frame of the page

skip = Skip to the content
pages = Pages
nav-new = New game
nav-games = Games
nav-analyse = Analyse
nav-statistics = Statistics
nav-settings = Settings
missing-page = This page did not arrive whole, so nothing can be played yet. Nothing is lost.
try-again = Try again
no-page-at = There is no page at { $place }.
screen-title = { $title } – sapper
title-new = New game
title-game = Game
title-statistics = Statistics
title-settings = Settings
title-review = Review
title-games = Games
title-analyse = Analyse
title-recording = Recording
title-practice = Practice
game-missing = There is no such game here. It may have been given up, or belong to another browser.
game-lost-again = The game that was just made is not found again. Either it was given up elsewhere, or this browser has not kept the cookie that says who you are: allow cookies for this page, then play.
no-cookies = This browser keeps no cookies of this page. One says who you are: without it no game is found again once it was made. Allow cookies for this page, then play.
server-away = The server cannot be reached just now. Nothing is lost: this page goes on by itself as soon as it can.
part-tried-again = A part of this page did not arrive. It is tried again.
part-held-back = A part of this page does not arrive, though the server answers. Something between may hold it back, such as an extension of the browser that blocks scripts.
bad-link = That link leads to no board. { $fault }

## What goes wrong

error-away = The server cannot be reached. This page goes on by itself as soon as it can.
error-slow-down = That was a lot at once. Wait a few seconds, then try again.
error-busy = The server has a lot to do just now. Try again in a moment.
error-failed = That took too much work, or the server made a mistake. Try again in a moment.
error-not-found = There is no such game here, or its player does not share it, or its moves are not kept.
error-forbidden = This page is of another server. Open it anew.
error-conflict = Too many games are not finished. Finish one, or give one up, before the next.
error-too-large = That is too long for this server.
error-status = The server answered { $status }. Try again in a moment.
error-detail = { $detail }
error-at-line = line { $line }, character { $character }: { $detail }
give-up-failed = The game could not be given up. Try again in a moment.
refused-went-on = The game was changed elsewhere first: this was not done.
refused-busy = Still at work on the last question: a moment.
refused-slow-down = Too fast: that was not taken.
refused-too-long = This game has more moves than any game needs: it can only be ended.
refused-illegal-move = That move is not possible here.
refused = That was not possible. Try again.
not-sent = No connection: that was not sent.

## Numbers, times and chances

seconds = { $number }~s
percent = { $number }~%
under-percent = under { $number }~%
over-percent = over { $number }~%
about-percent = about { $number }~%
fraction = { $number } in { $of }
range = { $low }–{ $high }

## Boards and their cells

tile-covered = covered
tile-flagged = flagged
tile-question = question mark
tile-empty = empty
tile-mine = mine
tile-exploded = exploded mine
tile-wrong-flag = wrong flag, no mine
board = Board
board-label =
    Board, { $width ->
        [one] 1 column
       *[other] { $width } columns
    }, { $height ->
        [one] 1 row
       *[other] { $height } rows
    }, { $mines ->
        [one] 1 mine
       *[other] { $mines } mines
    }
shown-board-label =
    { $label }, { $width ->
        [one] 1 column
       *[other] { $width } columns
    }, { $height ->
        [one] 1 row
       *[other] { $height } rows
    }
size =
    { $width }~×~{ $height }, { $mines ->
        [one] 1~mine
       *[other] { $mines }~mines
    }
no-guessing = no guessing
any-first-cell = any first cell
preset-custom = Custom
preset-beginner = Beginner
preset-beginner8 = Small
preset-intermediate = Intermediate
preset-expert = Expert
preset-kata = Kata
preset-engine = Engine
preset-formal = Formal
preset-jminesweeper-1 = JMinesweeper 1
preset-jminesweeper-2 = JMinesweeper 2
preset-jminesweeper-3 = JMinesweeper 3

## The menu

tagline = Minesweeper that can tell you why.
play = Play
games-played = games played:{" "}
games-won = games won:{" "}
choose-board = Choose a board
own-board = Your own
own-board-hint = Any size, no guessing, a code
card-best = best { $time }
how-to-play = How to play
new-here = New here?
guide-reveal = Reveal every cell that hides no mine. A number counts the mines in the eight cells around it.
guide-sample = Here the cell with the check mark is safe: the 2 to its upper left has both of its mines already.
guide-mouse = Click to reveal, right-click to flag. With all its flags set, click a number to reveal the rest around it.
guide-touch = Tap to reveal, press and hold to flag. With all its flags set, tap a number to reveal the rest around it.
guide-stuck = Stuck? Hint shows the next step and its reason.
go-on-with =
    { $count ->
        [one] Go on with your game
       *[other] Go on with a game
    }
show-all-games = Show all { $count }
game-so-far = { $time } so far · { $share } revealed
give-up = Give up
give-up-game = Give up: { $game }
give-up-question = Give this game up?
give-up-text = { $game }, after { $time }. It counts as played and not won.
keep-it = Keep it
cancel = Cancel

## Room for one more game

give-up-oldest = Give up the oldest game?
give-up-before = Give up the game before?
give-up-oldest-text = Too many games are not finished. The oldest is { $game }, after { $time }. Given up, it counts as played and not won.
give-up-before-text = By these rules a player has one unfinished game at a time. It is { $game }, after { $time }. Given up, it counts as played and not won.
give-up-and-play = Give it up and play

## A new game

start-open = An area
start-safe = A safe cell
start-any = Anything
first-reveal-shows = The first reveal shows
no-guess = No guessing
no-guess-hint = A board that logic alone can solve. Looking for one may take a moment.
chording = Chording
chording-mouse = Clicking a number that has all its flags reveals the rest around it.
chording-touch = Tapping a number that has all its flags reveals the rest around it.
questions = Question marks
questions-mouse = A second right click turns a flag into a question mark.
questions-touch = A second long press turns a flag into a question mark.
own-rules = These bring rules of their own, that for the first reveal among them.
other-rules = Boards with other rules
width = Width
height = Height
mines = Mines
code-field = Code, share link or seed
a-board-of-any-size = A board of any size
same-board-again = The same board again
start-game = Start the game
several-sizes = { $width }~×~{ $height }, { $counts } mines
seed-too-large = A seed is at most { $most }.
not-a-code = That is neither a code, a share link, nor a seed (a whole number).
code-note = The code says everything about the board, so there is nothing else to choose. The game counts as assisted: its mines may be known.
seed-note = The same seed and the same choices give the same board everywhere. The game counts as assisted: its mines may be known.
no-code-note = Leave this empty for a new board.
no-whole-width = Width is a whole number from { $least } to { $most }.
no-whole-height = Height is a whole number from { $least } to { $most }.
wrong-width = Width can be { $least } to { $most }.
wrong-height = Height can be { $least } to { $most }.
too-many-cells = { $cells } cells are too many: this server plays up to { $most }.
no-room-for-mine = That leaves no room for a mine.
wrong-mines = Mines can be 1 to { $most } on this board.
no-guess-too-large = Boards without guessing can have up to { $most } cells; this one has { $cells }.
density-stroll = { $share } of the cells are mines: a stroll.
density-beginner = { $share } of the cells are mines, about as on Beginner.
density-intermediate = { $share } of the cells are mines, about as on Intermediate.
density-expert = { $share } of the cells are mines, about as on Expert.
density-harder = { $share } of the cells are mines: harder than Expert.
density-luck = { $share } of the cells are mines: winning takes a lot of luck.

## The game

box-time = time: { $seconds }s
box-mines = mines: { $count }
box-flags = flags: { $count }
end = End
new-game = New game
new-game-hint = Another game of this kind
tools = Tools
tool-undo = Undo
tool-undo-hint = Take the last move back. The game counts as assisted.
tool-redo = Redo
tool-redo-hint = Play the move again that was undone.
tool-pause = Pause
tool-pause-hint = Hide the board and stop the clock.
tool-hint = Hint
tool-hint-hint = The next step and its reason. The game counts as assisted.
tool-guess = May I guess?
tool-guess-hint = Whether any cell is certain to be safe. The game counts as assisted.
tool-overlay = Chances
tool-overlay-hint = Each cell's chance to be a mine. The game counts as assisted.
tool-flagMode = Flag mode
tool-flagMode-hint = A tap flags, a long press reveals.
tool-names = Coordinates
tool-names-hint = Letters and numbers at the edges of the board, as in c4.
tool-turn = Turn
tool-turn-hint = Columns as rows: a wide board fits a narrow screen.
tool-more = More
tool-more-hint = The other tools
tool-smaller = Smaller
tool-smaller-hint = Smaller cells
tool-larger = Larger
tool-larger-hint = Larger cells
tool-fit = Fit
tool-fit-hint = The whole board in sight
game-title = Game: { $title }
looking-for-board = Looking for a board that needs no guess…
paused = Paused
go-on = Go on
close = Close
notes = Notes
assisted = assisted: { $how }
assisted-hints =
    { $count ->
        [one] 1 hint
       *[other] { $count } hints
    }
assisted-undone =
    { $count ->
        [one] 1 move
       *[other] { $count } moves
    } taken back
assisted-overlay = chances shown
assisted-aided = help with flags
assisted-practice = practice from a position
assisted-seen = a board seen before
start-no-guess = Start at the marked cell: from there no guess is needed.
start-marked = Start at the marked cell: it is the one that the board was made for.
too-hard = That takes too much work to find out here.
may-guess = Yes: no cell is certain to be safe.
may-not-guess = No: at least one cell is certain to be safe. A hint would show it.
you-may-guess = No cell is certain to be safe: you may guess.
hint-spoken = Hint: { $sentence }
step-before = Step before
step-after = Step after
step-of = step { $number } of { $count }
least-risk = least risk: { $risk }
elsewhere = elsewhere { $chance }
chances-too-hard = chances: too much work on this board
win-chance = chance to win: { $chance }
win-unknown-rules = The chance to win is worked out where a game is won by revealing alone.
win-unknown-size = The chance to win is not known: the board is too large to be played out.
win-unknown-library = The chance to win is not known: this server has no native library, which plays boards out.
legend-safe = had to be safe
legend-mined = had to be a mine
start-over-question = Start the same board over?
start-over-text = The game that is running is given up, and the new one counts as assisted.
start-over = Start over
keep-playing = Keep playing
end-question = End this game?
end-text = It counts as played and not won.
end-it = End it
untouched = This is a new game: nothing is revealed yet.
tap-flags = A tap flags.
tap-reveals = A tap reveals.
game-gone = There is no such game any more.
connected-again = Connected again.
move-lost = Your last move was not made.
connection-lost = The connection is lost.
server-restarts = The server is being restarted. The game is kept, and goes on in a moment.
server-unreachable = The server cannot be reached. The game is kept; this page goes on trying.
connection-lost-trying = The connection is lost. The game is kept; trying again…
paused-away = Paused while you were away: the game counts, its time does not.

## What is said of a game, for the ear

said-undone =
    Undone: { $count ->
        [one] 1 cell
       *[other] { $count } cells
    } as before.
said-restarted = The same board from the start.
said-paused = Paused. The board is hidden.
said-went-on = The game goes on.
said-working = A board that needs no guess is being looked for.
said-revealed =
    Revealed { $count ->
        [one] 1 cell
       *[other] { $count } cells
    }.
said-flags-around =
    { $count ->
        [one] 1 flag
       *[other] { $count } flags
    } around it
said-taken-away = { $what } taken away
said-flag-taken-away = flag taken away
mines-left =
    { $count ->
        [one] 1 mine
       *[other] { $count } mines
    } left
flags-too-many =
    { $count ->
        [one] 1 flag
       *[other] { $count } flags
    } too many
count-flags =
    { $count ->
        [one] 1 flag
       *[other] { $count } flags
    }
count-seconds =
    { $count ->
        [one] 1 second
       *[other] { $count } seconds
    }
said-won =
    Won in { $count ->
        [one] 1 second
       *[other] { $count } seconds
    }.
said-given-up = Game over: given up.
said-over = Game over.
said-mine-at = Game over: mine at { $cell }.
saved-now = The result is saved now.
not-saved-yet = The result is not saved yet: the server keeps trying.
cell-read = read by the hint
cell-is-mine = is a mine
cell-is-safe = is safe
cell-is-best = the best cell to reveal
cell-was-safe = was certain to be safe
cell-was-mined = was certain to be a mine
cell-chosen = this move
cell-better = a better move
cell-contradicts = contradicts other clues
cell-start = start here
cell-chance = { $chance } mine
last-safe = { $cell } was certain to be safe.
last-safe-risk = { $cell } was certain to be safe; the risk that was taken was { $risk }.
last-safe-more = { $cell } was certain to be safe, and { $more } more.
last-safe-more-risk = { $cell } was certain to be safe, and { $more } more; the risk that was taken was { $risk }.
last-no-less = Nothing was certain to be safe: the risk was { $risk }, and no less could be had.
last-least = Nothing was certain to be safe: the risk was { $risk }, the least there was { $least }.

## The end of a game

victory = Victory
game-over = Game Over
end-time = Time
end-network = network { $number } ms
end-network-hint = From your click to the server’s answer: the median of this game. The time includes it.
end-3bv = 3BV
end-3bv-hint = clicks that this board takes without flags
end-3bv-solved = 3BV solved
end-3bv-solved-hint = of the clicks that this board takes without flags
end-of = { $part } of { $whole }
end-speed = 3BV/s
end-efficiency = Efficiency
count-clicks =
    { $count ->
        [one] 1~click
       *[other] { $count }~clicks
    }
play-again = Play again
same-board = Same board
review = Review
share = Share
menu = Menu
best-time-yet = ★ Your best time on this kind of board.
ordinal-one = { $number }st
ordinal-two = { $number }nd
ordinal-few = { $number }rd
ordinal-other = { $number }th
nth-best = Your { $nth } best of { $count } on this kind of board.
assisted-apart = Assisted ({ $how }): kept apart from your records.
paused-win = Paused: the win counts, its time does not.
you-gave-up = You gave this game up.
you-gave-up-safe =
    You gave this game up. { $count ->
        [one] 1 cell was
       *[other] { $count } cells were
    } certain to be safe, outlined on the board.
you-gave-up-guess = You gave this game up. Nothing was certain to be safe: a guess was due.
last-certain-mine = Your last move was certain to hit a mine.
last-risk = Your last move had a risk of { $risk }.
needless-guess-where =
    A needless guess: { $count ->
        [one] 1 cell was
       *[other] { $count } cells were
    } certain to be safe, outlined on the board. { $last }
needless-guess = A needless guess. { $last }
forced-bad-luck = A forced guess, and bad luck: no cell was certain to be safe, and no move had a smaller risk than your { $risk }.
forced-not-best = A forced guess: no cell was certain to be safe. { $last } The best one had { $best }.

## Sharing a board

share-title = Share this board
share-text = Whoever opens the link plays the same mines.
share-link = Link
share-code = Code
share-seed = Seed { $seed }
share-send = Send…
share-message = Play this board:
done = Done
copy = Copy
copy-what = Copy: { $what }
copied = Copied.
copy-selected = It is selected: copy it with Ctrl+C, or press and hold.

## Reasons: what follows, and why

technique-start = start
technique-one-clue = one clue
technique-overlap = overlap
technique-pattern = pattern
technique-mine-count = mine count
technique-cases = cases
technique-guess = guess
pattern-hole = hole
list = { $first } and { $last }
cells-more = { $count } more
conclude-mined =
    { $count ->
        [one] { $cells } is a mine
       *[other] { $cells } are mines
    }
conclude-safe =
    { $count ->
        [one] { $cells } is safe
       *[other] { $cells } are safe
    }
conclude-both = { $mined }, { $safe }
wrong-flags =
    { $conclusion }; { $count ->
        [one] the flag on { $cells } is wrong
       *[other] the flags on { $cells } are wrong
    }
wrong-flags-first =
    { $conclusion }; { $count ->
        [one] the flag on { $cells } is wrong: remove it first
       *[other] the flags on { $cells } are wrong: remove them first
    }
step-start-anywhere = The first reveal is never a mine, wherever it is: begin at { $cell }.
step-start-at = The game begins at { $cell }, which is not a mine.
step-one-clue-zero = { $clue } says 0: { $conclusion }.
step-one-clue-safe =
    { $clue } says { $value } and { $value ->
        [one] its mine is
       *[other] its { $value } mines are
    } { $mines }: { $conclusion }.
step-one-clue-mined =
    { $clue } says { $value } and has only { $need ->
        [one] 1 covered neighbour
       *[other] { $need } covered neighbours
    } left: { $conclusion }.
step-one-clue-mined-beside =
    { $clue } says { $value } and beside { $mines } has only { $need ->
        [one] 1 other covered neighbour
       *[other] { $need } other covered neighbours
    } left: { $conclusion }.
clue-says = { $clue } says { $value }
clue-needs = { $clue } needs { $value } more besides { $mines }
step-overlap-mined =
    { $first }, { $second }, and of the undecided cells of { $larger } only { $cells } { $count ->
        [one] does
       *[other] do
    } not touch { $smaller }: { $conclusion }.
step-overlap-safe = { $first }, { $second }, and every undecided cell of { $larger } touches { $smaller }: { $conclusion }.
step-pattern = { $clues } are a { $pattern } in a line: { $conclusion }.
step-pattern-less =
    { $clues } are a { $pattern } in a line once { $mines } { $count ->
        [one] is
       *[other] are
    } taken off: { $conclusion }.
step-mine-count-none = No mine is left: { $conclusion }.
step-mine-count-all =
    { $left ->
        [one] 1 mine is
       *[other] { $left } mines are
    } left, and as many covered cells: { $conclusion }.
step-mine-count-need =
    { $left ->
        [one] 1 mine is
       *[other] { $left } mines are
    } left, and { $clues } { $count ->
        [one] needs
       *[other] need
    } { $left ->
        [one] it
       *[other] all of them
    }: { $conclusion }.
step-mine-count-elsewhere =
    { $left ->
        [one] 1 mine is
       *[other] { $left } mines are
    } left, at most { $taken } of them around { $clues }, and only { $count ->
        [one] 1 covered cell is
       *[other] { $count } covered cells are
    } elsewhere: { $conclusion }.
step-mine-count-fewest =
    { $left ->
        [one] 1 mine is
       *[other] { $left } mines are
    } left, the fewest that { $clues } { $count ->
        [one] allows
       *[other] allow
    }: { $conclusion }.
step-mine-count-most =
    { $left ->
        [one] 1 mine is
       *[other] { $left } mines are
    } left, the most that { $clues } { $count ->
        [one] allows
       *[other] allow
    }: { $conclusion }.
step-cases-board-one =
    The only layout with { $mines ->
        [one] 1 mine
       *[other] { $mines } mines
    } that fits the board shows it: { $conclusion }.
step-cases-board-two =
    Both layouts with { $mines ->
        [one] 1 mine
       *[other] { $mines } mines
    } that fit the board agree: { $conclusion }.
step-cases-board =
    All { $layouts } layouts with { $mines ->
        [one] 1 mine
       *[other] { $mines } mines
    } that fit the board agree: { $conclusion }.
step-cases-one = In the only way to lay the mines of { $clues }, { $conclusion }.
step-cases-two = In both ways to lay the mines of { $clues }, { $conclusion }.
step-cases = In each of the { $layouts } ways to lay the mines of { $clues }, { $conclusion }.
layouts-power = { $digits } × 10^{ $power }
guess-none = No covered cell is left to choose.
guess-unknown = No safe cell was found in time; { $cell } is a guess whose risk is not known.
guess-kaboom = No cell is certain to be safe, so any guess is safe: Kaboom never punishes a guess that is forced.
guess-first = { $cell } is safe, as the first reveal; { $wins }.
guess-safe = { $cell } is safe: it is a mine in no layout that fits; { $wins }.
guess-least = No safe cell; the least risk is { $risk } at { $cell }, and { $wins }.
guess-least-blank = Nothing is revealed that could make a cell safe; the least risk is { $risk } at { $cell }, and { $wins }.
guess-least-only = No safe cell; the least risk is { $risk } at { $cell }.
guess-level = No safe cell; { $cell } has a risk of { $risk }, and { $wins }.
guess-better-as-risky = { $cell }: as risky as { $other }, but it { $tells }: { $wins }.
guess-better = { $cell }: a risk of { $risk } where { $other } has { $otherRisk }, but it { $tells }: { $wins }.
guess-equal = No safe cell; a risk of { $risk }, and nothing wins more often.
tells-more = tells more
tells-decides = decides { $cells }
wins-unknown = how often that wins is not known
wins-certain = you win for certain
wins = you win { $chance }
wins-instead = you win { $chance } instead of { $other }
forced-even = { $cells } are a 50/50 that cannot be avoided.
unflag-first = Its flag must be removed first.

## Verdicts on moves

verdict-first = first
verdict-safe = safe
verdict-right-guess = right guess
verdict-wrong-guess = wrong guess
verdict-needless-guess = needless guess
verdict-certain-mine = certain mine
verdict-mark = mark
verdict-wrong-flag = wrong flag
verdict-unknown = not judged
verdict-survived = { $verdict }, survived
verdict-bad-luck = { $verdict }, bad luck
verdict-good-luck = { $verdict }, good luck
verdict-lost = { $verdict }, lost
move-risk = risk { $risk }
move-to-win = to win { $before } → { $after }
missed-safe =
    { $count ->
        [one] 1 cell was
       *[other] { $count } cells were
    } certain to be safe.
made-chord-mines = The chord revealed { $cells }.
made-chord-certain = One of { $cells }, which the chord revealed, was certain to be a mine.
made-certain = What was revealed was certain to be a mine.
made-chord-guess =
    Of what the chord revealed, { $count ->
        [one] { $cells } was
       *[other] { $cells } were
    } not certain.
made-risk = The move that was made has a risk of { $risk }.
made-risk-wins = The move that was made has a risk of { $risk }, and wins { $made } instead of { $best }.
made-kaboom-right = No safe cell, and Kaboom keeps a forced guess safe.
made-kaboom-wrong = Kaboom answers a needless guess with a mine.
flag-is-safe = { $cell } is safe: it is a mine in no layout that fits.
cells-not-mines = { $cells } cannot be mines.
left-out =
    The record leaves out { $count ->
        [one] 1 move
       *[other] { $count } moves
    } before it.
sum-accuracy = Accuracy
sum-accuracy-hint = the share of the chance to win that your choices kept; 100 % is best play
sum-cost = Cost of choices
sum-cost-hint = what moves that were not the best took from the chance to win
sum-luck = Luck
sum-luck-hint = what the answers added to the chance to win, or took from it
sum-guesses = Guesses
sum-guesses-hint = { $forced } forced, { $needless } needless
sum-survived = Survived
sum-survived-none = no guess has a known risk
sum-survived-hint = { $number } were to be expected
sum-mistakes = Mistakes
sum-mistakes-hint = moves that were not the best

## Looking through a game

review-fetching = The game is being fetched…
review-judging = The moves are being judged…
review-incomplete = Only the first { $count } moves were judged: the rest takes too long.
review-title = Review: { $game }
review-hidden = This board is being played again, so its mines are not told: what the game itself showed is all there is, until that game has ended.
your-games = Your games
result-won = Won
result-lost = Lost
result-terminated = Given up
fact-3bv =
    { $solved } 3BV in { $clicks ->
        [one] 1~click
       *[other] { $clicks }~clicks
    }
fact-speed = { $speed } 3BV/s
fact-assisted = assisted
play-this-board = Play this board
share-game = Show it to anyone who has its link
share-game-hint = Its moves, times and verdicts; nothing else about you.
share-game-link = Link of this game
moves = Moves
moves-folded = Moves { $first } to { $last }
turning-point = Turning point: move { $number }
move-label = Move { $number }: { $words }
before-first = Before the first move.
moment = Move { $number } of { $count }, { $time }
all-reasons = All { $count } reasons
play-on = Play on from here
analyse-this = Analyse this position
review-chances-too-hard = Chances take too much work on this board.
said-least = Least risk { $risk }.
said-least-win = Least risk { $risk }, chance to win { $win }.
move-reveal = Revealed { $cell }
move-chord = Chorded { $cell }
move-flag = Flagged { $cell }
move-unflag = Took the flag from { $cell }
move-question = Put a question mark on { $cell }
move-unquestion = Took the question mark from { $cell }
move-terminate = Given up
moments = Moments of the game
player-move = Move
player-play = Play
player-pause = Pause
player-first = First
player-back = Back
player-forward = Forward
player-last = Last
player-speed = Speed
player-keys = ← → Home End, Space plays, + − speed
player-at = move { $number } of { $count }
curve-label = Chance to win, move by move
curve-move = move
curve-win = to win

## The analyser

columns = Columns
rows = Rows

## Practice

practice-title = Positions I got wrong

## Games that have ended

review-recording = Review a recording
best-times = Best times
result-assisted = { $result }, assisted

## Settings

language = Language
theme = Theme
palette = Colours of the numbers
motion = Motion
thumb = Tools on phones
hold = Long press
sound = Sound
advisor = Guesses in hints

## Keys

key-space = Space
key-escape = Esc
key-delete = Del

## Today's boards, names and rankings

title-daily = Today’s boards
title-rankings = Rankings
title-name = Name and phrase
title-honesty = How fair are the rankings?
attempt-question = End your attempt at the board of the day?
attempt-help-text = A hint, chances or Undo end your attempt: it does not count, and there is no second one. The board can be played on.
attempt-help = Help me all the same
attempt-end-text = Your attempt ends here. It counts as not won, and there is no second one.
attempt-end = End the attempt
attempt-void = It does not count for the board of the day.
name = Name
daily-menu = The same for everybody
error-not-yet = This is a board of a day that is not over: it is shown at 01:00 UTC of the next.
preset-daily-beginner = Beginner of the day
preset-daily-intermediate = Intermediate of the day
preset-daily-expert = Expert of the day

### What follows is needed neither by the menu nor by a game nor by its review: it is sent by itself, to modules that import later_words.js.

## Boards and their cells

safe-first-cell = safe first cell

## A new game

for-new-games = Holds for new games.

## The game

elsewhere-sentence = Elsewhere each cell is a mine with { $chance }.

## Looking through a game

recording-title = A recording
recording-drop = Drop a recording here, or choose one
recording-formats = AVF (Arbiter), RMV (Viennasweeper), EVF (Metasweeper), MVF (Minesweeper Clone), RAWVF, and records of sapper (JSON); at most 1~MB. It is judged and shown to you alone, and not kept.
recording-too-large = This file is larger than 1~MB, which no recording of a game is.
recording-reading = The recording is being read and judged…

## The analyser

analyse-title = Analyse a position
position = Position
analyse-empty = Empty board
analyse-show = Show it
analyse-play = Play on from it
analyse-copy = Copy its link
analyse-paste = Or paste a position, a code, a link, or a game id of Simon Tatham’s Mines
paint-with = Paint with
paint-covered = Covered
paint-keys = On the board: arrows walk, 0 to 8, F and Delete paint a cell, Space paints with what is chosen.
analyse-too-large = A board here has at most 10,000 cells, and no side is longer than them.
analyse-wrong-mines = A board has from 0 mines to one in each cell.
analyse-nothing = Paste something first: rows of a board, a code, a link, or a game id.
analyse-copy-failed = Copy the address of this page: the position is in it.
reasons-title = Reasons, step by step
nothing-follows = Nothing follows from what is seen.
position-lost = A mine is revealed: this game is lost.
position-won = Every cell without a mine is revealed: this game is won.
layouts-one = One layout fits.
layouts-fit = { $layouts } layouts fit.
layouts-about = About { $layouts } layouts fit.
layouts-too-hard = This position takes too much work to be counted: what is certain all the same is marked.
win-chance-sentence = Chance to win: { $chance }.
no-win-chance = The chance to win is not known here.
not-known = not known
no-clue-tells = no clue will tell more
candidate = Candidate
risk = Risk
wins-column = Wins
candidates = Candidates
candidates-caption = Cells worth revealing, the best first
contradiction-clue =
    No layout fits the clue { $value } at { $cell }: it has { $mines ->
        [one] 1 known mine
       *[other] { $mines } known mines
    } and { $covered ->
        [one] 1 covered cell
       *[other] { $covered } covered cells
    } beside it.
contradiction-clues = No layout fits { $clues } together.
contradiction-clues-count =
    No layout fits { $clues } with { $mines ->
        [one] 1 mine
       *[other] { $mines } mines
    } in { $covered ->
        [one] 1 covered cell
       *[other] { $covered } covered cells
    }.
contradiction-count =
    No layout fits: there cannot be { $mines ->
        [one] 1 mine
       *[other] { $mines } mines
    } in { $covered ->
        [one] 1 covered cell
       *[other] { $covered } covered cells
    }.
contradiction-shown =
    No layout fits: the board shows { $mines ->
        [one] 1 mine
       *[other] { $mines } mines
    }, and has only { $most }.
clue-at = { $value } at { $cell }

## Practice

practice-about = From your own games: moves that took a needless risk, or a worse one than there was. Pick a cell with a click, or with arrows and Space.
practice-looking = Your games are being looked through…
practice-older = Older games are being looked through…
practice-next = Next position
practice-game = The game it is from
practice-needless = Some cell is certain to be safe. Which one would you reveal?
practice-mine = You revealed a certain mine here. Which cell would you reveal now?
practice-wrong = No cell is certain to be safe. Which guess wins most often?
practice-picked-mine = The cell you picked is certain to be a mine.
practice-picked-risk = The cell you picked is a mine with a chance of { $risk }.
practice-right = Right.
practice-is-wrong = Wrong.
practice-same = It is what you did in the game.
practice-score =
    { $right } of { $count ->
        [one] 1 position
       *[other] { $count } positions
    } right.
practice-done =
    There is nothing more that went wrong in { $count ->
        [one] 1 game
       *[other] { $count } games
    }.
practice-none = Play some games first: what goes wrong in them comes up here.

## Games that have ended

games-caption = Games that have ended, the last first
column-game = Game
column-result = Result
column-time = Time
column-speed = 3BV/s
column-efficiency = Efficiency
column-when = When
all-boards = All boards
all-results = All results
all-time = All time
last-day = The last day
last-week = The last 7 days
last-month = The last 30 days
last-year = The last year
filter-board = Board
filter-result = Result
filter-when = When
no-such-games = No such games.
more-games = More games

## Statistics

category = Games
category-plain = Unaided
category-assisted = Assisted
period = Period
all-finished-games = All finished games
from-all = Times of different boards cannot be compared: choose one board above to see its times.
kept-where = Your games are kept on this server under a random name in a cookie, and nowhere else.
end-sessions = End my sessions elsewhere
end-sessions-question = End your sessions elsewhere?
end-sessions-text = Whoever plays as you in another browser, or with a copy of your cookie, no longer does. This browser goes on.
end-sessions-yes = End them
end-sessions-no = Leave them
sessions-ended = Your sessions elsewhere have ended.
forget-me = Forget everything about me
forget-question = Forget everything about you?
forget-text = All your games and statistics on this server are deleted, unfinished games too. This cannot be undone.
forget-yes = Forget everything
number-played = Played
number-won = Won
number-rate = Rate
number-win-rate = Win rate
number-best = Best
number-median = Median
number-streak = Wins in a row
number-best-time = Best time
number-median-time = Median time
number-speed = 3BV/s
number-efficiency = Efficiency
number-lost = { $count } lost
number-given-up = { $count } given up
number-unfinished = { $count } not finished
number-between = between { $low } and { $high }
number-best-streak = best: { $count }
number-of-wins = of wins
by-kind = Board by board
as-table-of = { $title }, as a table
more-kinds = and { $count } more kinds, played less
explain-title = What the numbers mean
explain-played = Every game with a first move, given up and running ones too. The home page counts unaided and assisted games together.
explain-assisted = Games with hints, moves taken back, chances shown, help with flags, or a board that was seen before. They set no records.
explain-rate = The share of games won. Below it, where the true rate lies with 95 % certainty, luck taken into account.
explain-3bv = The least clicks that reveal a board without flags: a measure of its size.
explain-speed = 3BV by seconds: how fast a game was, whatever the board.
explain-efficiency = 3BV by clicks: 100 % is a click for each; flags that save clicks can lead above it.
explain-median = Half of your wins were quicker, half slower.
empty-filtered = No such games
empty-filtered-text = Choose another board or a longer period.
empty-assisted = No assisted games
empty-assisted-text = Games with hints, moves taken back, chances shown, help with flags or boards seen before count here, apart from your records.
empty-plain = Nothing yet
empty-plain-text = Play a game: here will be how often you win, your best and usual times, your streaks, and how lucky you were.
best-times-of = Best times: { $kind }
best-times-caption = The quickest wins: { $kind }
as-table = As a table
luck-title = Luck over time
luck-about =
    { $count ->
        [one] 1 guess
       *[other] { $count } guesses
    }, { $forced } forced and { $needless } needless. Above the dashed line you have survived more guesses than expected from their risks: good luck.
luck-axis = luck
column-from = From
column-guesses = Guesses
column-needless = Needless
column-survived = Survived
column-expected = Expected
rate-title = Win rate over time
rate-about-band =
    { $won } of { $count ->
        [one] 1 game
       *[other] { $count } games
    } won. The band is where the true rate lies, with 95 % certainty.
rate-about-line =
    { $won } of { $count ->
        [one] 1 game
       *[other] { $count } games
    } won. The line is where the true rate lies, with 95 % certainty.
rate-axis = games won
column-around = Around
column-interval = 95 % interval
wins-title = Times of your wins
wins-about = The line follows your best time: { $best } now.
column-best-so-far = Best so far
yes = yes
axis-time = time
axis-wins = wins
times-title = How your times spread
times-about = Wins by time, in steps of { $step }.
times-from-to = { $from } to { $to }
column-wins = Wins
risks-title = Risks and what came of them
risks-about =
    { $exploded } of { $count ->
        [one] 1 risky move
       *[other] { $count } risky moves
    } exploded. On the dashed line luck is even; below it, you were lucky.
axis-risk = risk taken
axis-exploded = exploded
column-moves = Moves
column-exploded = Exploded
column-share = Share

## Settings

settings-looks = Looks
settings-play = Play
settings-keys = Keys
automatic = Automatic
theme-light = Light
theme-dark = Dark
palette-classic = Classic
palette-clear = Clear
palette-hint = Clear is for every kind of colour vision, with marks below the numbers.
digits-label = The numbers 1 to 8 in these colours
coordinates-hint = Letters for the columns and numbers for the rows at the edges of boards, as in c4.
motion-less = Less
click-chord-mouse = Chord with one click
click-chord-touch = Chord with a tap
click-chord-mouse-hint = A single left click on a number chords. Otherwise the middle button, or both, or the key.
click-chord-touch-hint = A tap on a number chords. Otherwise a long press does.
open-at-release = Reveal where the mouse button is let go
open-at-release-hint = Off: pressing on one cell and letting go on another reveals none.
dim-satisfied = Dim numbers that have all their flags
not-own-rules = { $hint } Not on boards with custom rules.
less-flags = Numbers less their flags
less-flags-hint = A 3 with one flag beside it shows 2.
marks-game = { $hint } The game counts as assisted. Not on today's board, nor on boards with custom rules.
click-flags-mouse = Click a number to flag the cells around it
click-flags-touch = Tap a number to flag the cells around it
click-flags-hint = If a number has exactly as many covered cells around it as it says, all of them are flagged.
right-flags-mouse = Right-click a number to flag the cells around it
right-flags-touch = Hold a number to flag the cells around it
flag-button = Flag button on touch screens
flag-button-hint = A button that makes a tap plant flags.
thumb-hint = The side of the thumb that plays: the flag button is there.
thumb-right = Right
thumb-left = Left
hold-hint = How long to hold for a long press.
hold-short = Short
hold-normal = Normal
hold-long = Long
sound-hint = Short, quiet sounds for moves and for the end.
advisor-best-reply = Best reply
advisor-second-opinion = Second opinion
advisor-playouts = Playouts
advisor-hint = The method that chooses a hint’s guess where no cell is safe. Playouts take longer: they play the game on from each guess many times.
reset-settings = Reset all settings
reset-settings-question = Reset all settings?
reset-settings-text = Looks, habits and keys become as they were on your first visit. Games and statistics stay.
install = Install sapper on this device
reset = Reset

## Keys

action-up = Up
action-down = Down
action-left = Left
action-right = Right
action-reveal = Reveal the cell
action-flag = Flag
action-chord = Chord (reveal around a number)
action-undo = Undo
action-hint = Hint
action-status = Say mines left, flags and time
action-pause = Pause
action-new = New game
action-same = Same board
action-end = Give up
key-arrow-up = up arrow
key-arrow-down = down arrow
key-arrow-left = left arrow
key-arrow-right = right arrow
key-remove = Remove
key-remove-label = { $action }: remove { $key }
key-add = Add key
key-add-label = Add key: { $action }
key-none = no key
key-press = Press a key…
key-press-for = Press the key for “{ $action }”. Tab, or a click elsewhere, keeps things as they are.
key-removed = { $action }: { $key } removed.
key-added = { $action }: { $key } added.
key-of-browser = That one belongs to the browser. Press another, without Ctrl or Alt.
key-already = { $key } is already a key for “{ $action }”.
key-taken = { $key } is taken
key-taken-text = It is the key for “{ $action }”. A key can do one thing only.
key-use = Use it for “{ $action }”
key-leave = Leave it
key-moved = { $key } now stands for “{ $action }”, not for “{ $before }”.
keys-reset = Reset all keys
keys-are-reset = All keys are as they were at first.

## Today's boards, names and rankings

daily-rules = The same boards for everybody from midnight UTC, without guesses, the opening revealed. Your first attempt counts if it stays unaided and ends within an hour. Its clock starts with the board and never stops.
daily-left =
    The next boards come in { $hours ->
        [one] 1~hour
       *[other] { $hours }~hours
    } and { $minutes ->
        [one] 1~minute
       *[other] { $minutes }~minutes
    }.
daily-streak =
    { $days ->
        [one] Streak: 1~day
       *[other] Streak: { $days }~days
    }
daily-play = Play
daily-go-on = Go on
daily-share = Copy result
daily-copied = Copied: { $text }
daily-counts =
    { $attempts ->
        [one] 1~attempt
       *[other] { $attempts }~attempts
    }, { $won } won
daily-open = Begun: the clock runs.
daily-not-counted = does not count
daily-void = Played with help, or for too long: it does not count.
daily-held = An operator looks at it before it counts.
daily-table = { $day }
daily-none = There was no board here on that day.
daily-published = Layout, proof and games are published on { $when }.
daily-play-again = Play this board
daily-proof = Proof that it needs no guess (JSON)
difficulty-trivial = trivial
difficulty-easy = easy
difficulty-medium = medium
difficulty-hard = hard
difficulty-extreme = extreme
day-before = Day before
day-after = Day after
place-of = place { $place }
better-than = better than { $share }
no-places = No places yet. A place needs a name and 30 ended ranked games of earlier days.
no-ranks = No places yet. Only players who have a name are shown.
more-places = More places
calendar = Calendar
calendar-caption = Your attempts of the last weeks
calendar-day =
    { $day }: { $attempts ->
        [one] 1~attempt
       *[other] { $attempts }~attempts
    }, { $won } won
column-name = Name
column-value = Best
filter-measure = Ranked by
measure-time = Time
measure-speed = 3BV/s
measure-efficiency = Efficiency
measure-no-flag = Time without flags
measure-streak = Wins in a row
measure-skill = Skill
skill-title = Skill without luck
skill-about = The chance to win that your own choices lost per game, luck left out, over the last 100 games. Giving up or advice loses all that was left; a game not ended within 24 hours counts as given up. A place needs 30 games.
column-lost = Lost
column-lost-below = At most
column-games = Games
period-day = Today
period-week = This week
period-season = This quarter
period-ever = Ever
own-place = Your place: { $place }, { $value }
own-place-far = You are beyond the first 10,000 places: { $value }
name-about = With a name you appear in rankings, and replays of your ranked games are public. Without one nobody sees you.
name-rules = 1 to 20 letters, digits and spaces of one script; none that looks like another player’s. It lapses after a year without a game.
name-is = Your name: { $name }
name-none = You have no name. A name needs { $needed } ended ranked games; you have { $games }.
name-save = Save name
name-drop = Remove name
name-done = Saved.
name-refused = This name cannot be had: it is somebody’s or looks like it, has other characters, or you have not played enough.
phrase-title = Recovery phrase
phrase-about = A phrase makes you the same player on another device, or here after cookies were deleted. It is shown once.
phrase-new = Make a new phrase
phrase-warning = An earlier phrase ends, and so do your sessions in all other browsers. Write the new one down: it is not shown again.
devices-title = Signed in
devices-about = Browsers and programs that play as you. One that is signed out can come back only with the recovery phrase.
device-own = (this one)
device-unknown = Unknown
device-seen = Last used on { $day }
device-sign-out = Sign out
device-sign-out-of = Sign out: { $name }
device-own-warning = This browser becomes a new player. Only your recovery phrase signs it in again.
recover-title = Sign in with a phrase
recover-done = You are { $name } again.
recover-unnamed = the same player
recover = Recover
recover-join = Games played here are mine too
recover-failed = Nobody has this phrase.
unseen-title = What cannot be seen
unseen-solver = The server cannot see a solver that somebody runs beside the page and follows by hand. It looks like a good player.
unseen-second-look = The server cannot see whether an anonymous player looks at today’s board a second time. So a place needs a name and 30 ended ranked games of earlier days, and a time far beyond a player’s record waits for an operator.
unseen-skill = The server cannot see where a choice came from. A choice that a solver advised counts as a good one, and so does one that playouts do not tell apart from the best.
unseen-account = The server cannot see who plays. Anyone who has a player’s cookie or phrase plays under that name.
seen-title = What is seen
seen-dealt = The server deals each board and sees each move at its own clock. Nobody can submit a result.
seen-replayed = A referee plays each ranked game again before it counts.
seen-help = Games with hints, chances, undo, help with flags, pauses or restarts, and boards named by a code, do not count.
seen-hands = Games played faster or more evenly than people play wait for an operator’s decision.
seen-delay = Times are the server’s. The time a move takes through the network is in them, for everybody.
