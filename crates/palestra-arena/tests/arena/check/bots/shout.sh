# Answers hello in capitals.
while read -r word rest; do
  case $word in
    hello) echo READY ;;
    legal) first=${rest%% *} ;;
    go) echo "move $first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
