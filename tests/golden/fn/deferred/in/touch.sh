#!/bin/sh
sed "s/touched: no/touched: yes/"
echo "a fault" >&2
exit 2
