# Ends after its first move.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo "move $first"; exit 3 ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
