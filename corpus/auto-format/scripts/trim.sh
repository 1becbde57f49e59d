#!/bin/sh
# Prints a file without spaces at the ends of its lines.
set -eu
sed 's/[[:space:]]*$//' "$1"
