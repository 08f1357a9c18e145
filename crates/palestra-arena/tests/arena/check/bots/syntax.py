# Cannot be run.
import sys

for line in sys.stdin
    print("ready", flush=True)
