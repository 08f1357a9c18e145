#!/bin/sh
# Always plays 9, which is no pit of Mancala.
while read -r word rest; do
    case $word in
    hello) echo ready ;;
    go) echo "9 is my lucky number" >&2; echo "move 9" ;;
    bye) exit ;;
    esac
done
