"""`python -m sapper` is the command `sapper`."""

import sys

from sapper.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
