#!/bin/sh
# Runs the command by which docs/embedding.md compiles hello_c, and the program that it makes.
#
#   documented_command.sh TREE FOLDER_OF_TUFF_PC OUT
set -eu
tree=$1
PKG_CONFIG_PATH=$2
out=$3
export PKG_CONFIG_PATH
# Nothing else may tell the program where the library is.
unset LD_LIBRARY_PATH
command=$(awk '/^cc examples\/hello_c\/main.c/ { p = 1 } p { print; if (!/\\$/) exit }' \
    "$tree/docs/embedding.md")
test -n "$command" || { echo "docs/embedding.md does not compile examples/hello_c" >&2; exit 1; }
mkdir -p "$out/build"
ln -sfn "$(cd "$tree" && pwd)/examples" "$out/examples"
cd "$out"
eval "$command"
build/hello_c "$tree/apps/graphs/mandelbrot.json"
