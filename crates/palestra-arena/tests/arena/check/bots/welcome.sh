# Introduces itself before it is ready.
while read -r word rest; do
  case $word in
    hello) echo "MyBot 1.0"; echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo "move $first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
