#!/bin/sh
# Plays an example in a window on a screen without a monitor, with the validation layer watching:
# looks at what it draws, makes the window larger, hides it, shows it again and ends the game by a
# key.
#
#   window.sh PROGRAM TITLE FOLDER [FLAGS]     FOLDER gets what the screen showed
set -eu
program=$1
title=$2
folder=$3
shift 3
rm -rf "$folder"
mkdir -p "$folder"
server= game=
trap 'kill $game $server 2>/dev/null || :' EXIT

fail() {
    echo "window.sh: $*" >&2
    cat "$folder/errors" >&2
    exit 1
}
# Waits until a command succeeds, twenty seconds at most.
until_true() {
    for _ in $(seq 200); do
        if "$@"; then return 0; fi
        sleep 0.1
    done
    return 1
}

Xvfb -displayfd 3 -screen 0 800x600x24 -fbdir "$folder" -nolisten tcp -noreset \
    3>"$folder/display" 2>"$folder/xvfb.log" &
server=$!
until_true test -s "$folder/display" || fail "the screen does not start"
DISPLAY=:$(cat "$folder/display")
export DISPLAY

"$program" "$@" >"$folder/errors" 2>&1 &
game=$!
window=
find_window() {
    kill -0 $game 2>/dev/null || fail "the game has ended by itself"
    window=$(xdotool search --onlyvisible --name "^$title\$" 2>/dev/null) && test -n "$window"
}
until_true find_window || fail "there is no window"
xdotool windowmove "$window" 0 0 windowsize "$window" 320 180

screen=$folder/Xvfb_screen0
# Number of 32 bits in the header of the picture, which is an XWD file.
word() {
    od -An -tu1 -j$(($1 * 4)) -N4 "$screen" | {
        read -r a b c d
        echo $(((a << 24) + (b << 16) + (c << 8) + d))
    }
}
# Whether there is something at x, y: neither the sky of the city nor the far plane is black.
shown_at() {
    at=$(($(word 0) + $(word 19) * 12 + $(word 12) * $2 + $1 * 4))
    test "$(od -An -tx1 -j$at -N3 "$screen" | tr -d ' ')" != 000000
}
moves() {
    cp "$screen" "$folder/before"
    until_true differs
}
differs() { ! cmp -s "$screen" "$folder/before"; }

until_true shown_at 300 4 || fail "nothing is drawn"
moves || fail "the picture stands still"
cp "$screen" "$folder/first.xwd"
not_shown_at() { ! shown_at "$@"; }
until_true not_shown_at 600 4 || fail "the picture is larger than its window"

xdotool windowsize "$window" 640 360
until_true shown_at 600 4 || fail "the picture does not grow with its window"
moves || fail "the picture stands still after the window has grown"
cp "$screen" "$folder/grown.xwd"

xdotool windowunmap "$window"
sleep 0.3
xdotool windowmap "$window"
until_true shown_at 600 4 || fail "the picture does not come back"
moves || fail "the picture stands still after the window was hidden"

xdotool windowsize "$window" 200 120
sleep 0.5
xdotool windowfocus "$window" keydown Escape
ended() { ! kill -0 $game 2>/dev/null; }
until_true ended || fail "the game does not end"
wait $game || fail "the game has failed"
game=
test ! -s "$folder/errors" || fail "the game has something to say"
