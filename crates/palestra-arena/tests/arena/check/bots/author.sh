# Tells who wrote it.
while read -r word rest; do
  case $word in
    hello) echo "id name Mine"; echo "id author me"; echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo "move $first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
