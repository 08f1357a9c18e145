# Says that it follows the test evaluation, and ends when it is asked to search.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    option) echo "option $rest" ;;
    legal) first=${rest%% *} ;;
    go) case $rest in depth*) echo "out of ideas" >&2; exit 1 ;; *) echo "move $first" ;; esac ;;
    bye) exit ;;
  esac
done
