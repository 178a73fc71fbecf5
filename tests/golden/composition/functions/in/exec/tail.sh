#!/bin/sh
sed 's/name: cm$/name: cm-of-a-program/'
