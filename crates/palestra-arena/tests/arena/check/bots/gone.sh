# Ends without a word.
read -r line
exit 0
