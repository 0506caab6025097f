# Makes the table of light-crossovers of what `tuff bench ': sweep' --csv` has written.
$2 ~ /: sweep$/ {
    split($2, word, " ")
    column = 3
    if ($2 ~ /one list/) column = 1
    if ($2 ~ /half splits/) column = 2
    if ($2 ~ /boxes/) column = 4
    if ($1 == "lights/tiled") column = 5
    if ($1 == "lights/volumes") column = 6
    time[word[1], column] = $4
}
END {
    for (lights = 64; lights <= 1024; lights *= 2) {
        printf "%d", lights
        for (column = 1; column <= 6; ++column) printf ",%s", time[lights, column]
        print ""
    }
}
