# Gives up at a line that it does not know.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo "move $first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
    game | position | history | used | result) ;;
    *) echo "what is $word?" >&2; exit 1 ;;
  esac
done
