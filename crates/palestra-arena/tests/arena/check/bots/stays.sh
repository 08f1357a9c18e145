# Does not know bye.
while :; do
  word=; read -r word rest
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo "move $first" ;;
    ping) echo "pong $rest" ;;
  esac
done
