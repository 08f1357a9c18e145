# Does not know ping.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo "move $first" ;;
    bye) exit ;;
  esac
done
