# Says on stdout what it thinks.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo "I think, therefore"; echo "move $first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
