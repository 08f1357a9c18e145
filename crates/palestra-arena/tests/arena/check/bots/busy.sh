# Thinks for ever.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) while :; do :; done ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
