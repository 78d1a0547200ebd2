"""``python -m canter``."""

import sys

from canter.cli import main

sys.exit(main())
