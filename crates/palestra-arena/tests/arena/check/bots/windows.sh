# Ends its lines as on Windows, and talks on stderr.
while read -r word rest; do
  case $word in
    hello) printf "ready\r\n" ;;
    legal) first=${rest%% *} ;;
    go) echo thinking >&2; printf "move %s\r\n" "$first" ;;
    ping) echo "pong $rest" ;;
    bye) exit ;;
  esac
done
