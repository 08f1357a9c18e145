# Waits for the other side to move after its own move.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    history) history=$rest ;;
    go) if [ -z "$moved" ] || [ -n "$history" ]; then echo "move $first"; moved=1; fi ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
