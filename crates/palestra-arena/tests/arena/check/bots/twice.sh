# Sends its move twice.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo "move $first"; echo "move $first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
