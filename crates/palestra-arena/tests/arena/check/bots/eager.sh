# Says ready whenever a game is told.
while read -r word rest; do
  case $word in
    hello | game) echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo "move $first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
