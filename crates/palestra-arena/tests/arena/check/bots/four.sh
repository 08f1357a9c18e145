# Always plays 4.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo "move 4" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
