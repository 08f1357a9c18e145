# Is ready once it knows the game.
while read -r word rest; do
  case $word in
    hello) ;;
    game) echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo "move $first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
