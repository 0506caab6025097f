#!/usr/bin/env bash
# Checks the configs of a project: that they are sound, and that what they render is as stored.
#   check_graphs.sh GRAPHS GOLDEN [REPORT]
# GRAPHS holds the configs, GOLDEN what `tuff golden --update` has stored. Where something differs,
# REPORT (golden-report) gets a page that shows what. TUFF is the program, else `tuff` on the PATH.
# Exit code: 0 all is well, 1 something differs or the validation layer complains, 2 a config is wrong.
set -euo pipefail
tuff=${TUFF:-tuff}
graphs=${1:?the folder of the configs}
golden=${2:?the folder of the stored results}
report=${3:-golden-report}

# A software device computes the same on every machine. SwiftShader where there is one.
if [[ -z ${TUFF_DEVICE:-} ]]; then
    devices=$("$tuff" devices)
    TUFF_DEVICE=lavapipe
    [[ $devices == *SwiftShader* ]] && TUFF_DEVICE=swiftshader
fi
export TUFF_DEVICE
echo "$("$tuff" --version) on $TUFF_DEVICE"

# Configs of a pull request read nothing outside of their folder and the asset folders.
"$tuff" check "$graphs"/*.json --confine
"$tuff" golden "$graphs"/*.json --dir "$golden" --report "$report" --validation --confine
