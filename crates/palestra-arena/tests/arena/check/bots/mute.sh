# Does not answer hello.
while read -r word rest; do
  case $word in
    hello) ;;
    legal) first=${rest%% *} ;;
    go) echo "move $first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
