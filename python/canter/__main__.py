"""``python -m canter``."""

import sys

from canter.cli import main

if __name__ == "__main__":
    sys.exit(main())
