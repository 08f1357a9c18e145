# Forgets the newline.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) printf "move %s" "$first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
