# Says that it follows the test evaluation, and plays the first legal move.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    option) echo "option $rest" ;;
    legal) first=${rest%% *} ;;
    go) echo "info score 0"; echo "move $first" ;;
    bye) exit ;;
  esac
done
