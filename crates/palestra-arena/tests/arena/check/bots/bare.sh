# Leaves the word out.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo "$first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
