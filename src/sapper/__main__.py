"""`python -m sapper` is the command `sapper`.

Knows: the name of the command's entry point.
Does not know: anything else.
"""

import sys

from sapper.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
