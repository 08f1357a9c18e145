# Speaks the language of chess programs.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo "bestmove $first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
