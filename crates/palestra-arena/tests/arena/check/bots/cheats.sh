# Says that it follows the test evaluation, and plays what is not legal.
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    option) echo "option $rest" ;;
    go) echo "move 9" ;;
    bye) exit ;;
  esac
done
