# Has enough of it at its tenth turn.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo "move $first"; turns=$((turns + 1)); [ $turns -lt 10 ] || exit 1 ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
