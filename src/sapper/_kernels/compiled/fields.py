"""Names for the rows of the scratch arrays (see workspace): one field of cells, clues, groups… a row.

"Start" and "first" fields have one entry more than what they index: the entries of i lie from
start[i] up to, not including, start[i + 1].

Knows: numbers of rows.
Does not know: anything else.
"""

# Scratch.cell: rows as long as the board has cells.
GROUP_OF = 0  # of a cell: 0 interior, else its group + 1 (while groups are found, its class)
KIND = 1  # of a cell, for grids with a table: see scan
CLUE_NEED = 2  # mines of an open clue that are not known
CLUE_START = 3  # into CLUE_CELLS
CLUE_FIRST = 4  # into CLUE_GROUPS
CLUE_LEFT = 5  # groups (ordering) or cells (states) still to come
CLUE_SLOT = 6  # place in the key
GROUP_SIZE = 7
GROUP_START = 8  # into GROUP_CLUES
GROUP_MARK = 9  # certain: 1 safe, 2 mined
GROUP_OPEN = 10  # clues of the group not yet open; -1 when eliminated
GROUP_CLOSE = 11  # clues that this group would close
PART_OF = 12  # component of a clue, -1 while unknown
PART_START = 13  # into PART_GROUPS and ORDER
PART_GROUPS = 14
QUEUE = 15
ORDER = 16  # as PART_GROUPS, in the order of elimination
PLAN = 17  # one group's moves: see states
TALLY = 18  # sums over the board: see board
PART_INDEX = 19  # of components that have states (LIVE ones): their number in PART_START
PART_LAYER = 20  # first and last layer
PART_LAST = 21
PART_FINAL = 22  # one more than the last state
PART_LOW = 23  # least and most mines
PART_HIGH = 24
WIDE = 25  # each component's possible numbers of mines, seen from outside
CELL_FIELDS = 26

# Scratch.pair: rows as long as there are pairs of a clue and a cell.
ROWS = 0  # bit rows: covered, mined, clue, active, dirty; with a table, a worklist of cells
CLUE_CELLS = 1
CLASS_CHILD = 2
CLASS_STAMP = 3
CLASS_SIZE = 4
CLASS_GROUP = 5
GROUP_CLUES = 6
CLUE_GROUPS = 7
LAYER_FIRST = 8  # first state
LAYER_BASE = 9  # least number of mines
LAYER_WORDS = 10  # words of reachability a state
LAYER_REACH = 11  # where they begin
NODE_LOW = 12  # the product tree of components: see combine
NODE_SIZE = 13
NODE_AT = 14
PAIR_FIELDS = 15

# Scratch.real
CHANCE = 0  # of a mine, by group + 1; [0] is the interior
WEIGHTS = 1  # of one group's moves: see polynomials
REAL_FIELDS = 2

# States.state
KEY0 = 0
KEY1 = 1
LOW = 2  # least and greatest number of mines so far
HIGH = 3
FEWEST = 4  # mines in the first move
FIRST_EDGE = 5
WAYS_AT = 6
STATE_FIELDS = 7

# States.edge
EDGE_TO = 0
TABLE = 1  # hash table of one layer
REACH = 2  # sets of reachable numbers of mines, 62 to a word
BACK = 3  # the same from the end, two layers in turn
EDGE_FIELDS = 4

# States.real
WAYS = 0  # tilted numbers of layouts, by mines
REST = 1  # the same from the end, two layers in turn
TREE = 2  # polynomials of the product tree, and their counterparts from the root
TREE_REST = 3
WAYS_FIELDS = 4
