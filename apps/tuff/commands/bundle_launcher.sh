#!/bin/sh
# Starts Tuff from this folder, wherever it lies.
self=$(readlink -f -- "$0" 2>/dev/null) || self=$0
here=${self%/*}
# The machine's drivers may need its own C++ runtime, which is newer than the one in lib/runtime or
# will do as well. That one is for machines where the program does not start without it.
if ! "$here/bin/tuff" --version >/dev/null 2>&1; then
    LD_LIBRARY_PATH=$here/lib/runtime${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
fi
exec "$here/bin/tuff" "$@"
