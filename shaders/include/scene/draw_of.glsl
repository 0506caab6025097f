// To which draw of a scene a vertex or triangle belongs where those of all draws follow one another.

readonly buffer Starts { uvec2 values[]; } starts; // first vertex and first triangle of a draw

// The draw of vertex (kind 0) or triangle (kind 1) number `i`: the last one that starts
// there or before. Draws without any start where the next one does.
uint draw_of(uint i, int kind, uint draw_count) {
    uint first = 0u;
    uint end = draw_count;
    while (end - first > 1u) {
        uint middle = first + (end - first) / 2u;
        if (starts.values[middle][kind] <= i)
            first = middle;
        else
            end = middle;
    }
    return first;
}
