# Does not answer go.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
