# Remembers the legal moves of its first turn.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) : "${first:=${rest%% *}}" ;;
    go) echo "move $first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
