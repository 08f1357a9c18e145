# Writes a very long line.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) printf "info text %05000d\n" 0; echo "move $first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
