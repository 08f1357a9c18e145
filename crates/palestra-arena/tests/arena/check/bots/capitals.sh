# Writes in capitals.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo "MOVE $first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
