#ifndef DISTANCE_EXACT_BEGINS
#define DISTANCE_EXACT_BEGINS
// Which texels the corners of a line's hull own. Besides what exact_joins.glsl needs, the kernel has
// set_first(word, place), the owner of a word's first texel, and add_begin(place), a texel whose
// owner is not that of the texel before it.

const int kNoCorner = 0xffff; // of an empty line

// The first texel that is nearer to b than to a, which comes before b.
int first_nearer(ivec2 a, ivec2 b) {
    return b.y < a.y ? 0 : int(uint(b.y - a.y) / uint(2 * (b.x - a.x))) + 1;
}

// Of the corners of a word, those that own texels. All words of all lines must be looked at.
uint find_begins(int word, int words, int line_length) {
    uint rest = corners(word);
    if (word == 0 && first_in(0, words) < 0)
        for (int empty = 0; empty * kWordPlaces < line_length; ++empty)
            set_first(empty, kNoCorner);
    if (rest == 0u) return 0u;
    ivec2 own = point(first_of(word, rest));
    int before = corner_before(own.x, 0);
    int beyond = first_in(word + 1, words);
    rest &= rest - 1u;
    int next = rest != 0u ? first_of(word, rest) : beyond;
    ivec2 behind = point(max(next, 0));
    int begin = before < 0 ? 0 : min(first_nearer(point(before), own), line_length);
    uint owning = 0u;
    for (;;) {
        uint after = rest & (rest - 1u);
        int next_after = after != 0u ? first_of(word, after) : beyond;
        ivec2 behind_after = point(max(next_after, 0));
        int end = next < 0 ? line_length : min(first_nearer(own, behind), line_length);
        if (begin < end) {
            owning |= 1u << bit_of(own.x);
            add_begin(begin);
            for (int owned = word_of(begin + kWordPlaces - 1); owned * kWordPlaces < end; ++owned)
                set_first(owned, own.x);
        }
        if (rest == 0u) break;
        begin = end;
        own = behind;
        behind = behind_after;
        next = next_after;
        rest = after;
    }
    return owning;
}

#endif
