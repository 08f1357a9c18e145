# Takes a while to be ready.
while read -r word rest; do
  case $word in
    hello) sleep 0.3; echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo "move $first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
