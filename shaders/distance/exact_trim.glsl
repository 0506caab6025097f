#ifndef DISTANCE_EXACT_TRIM
#define DISTANCE_EXACT_TRIM
// Takes corners off that others hide, in all words at once. Corners of the hull are never hidden, so
// it does not matter that the others may go at the same time. Needs exact_joins.glsl.
//
// Words are hulls, so those at the ends go first, up to the one where a line from the corner before
// or behind the word touches it: some one by one, and then as many as halving finds.

const int kOneByOne = 3;
const ivec2 kNothingSeen = ivec2(-2);

// What a corner `a` before the word leaves; d: the corner behind the word.
uint seen_from_before(int word, uint bits, ivec2 a, ivec2 d, bool has_behind) {
    ivec2 b = point(first_of(word, bits));
    for (int taken = 0; taken < kOneByOne; ++taken) {
        uint rest = bits & (bits - 1u);
        if (rest == 0u) return has_behind && is_hidden(a, b, d) ? 0u : bits;
        ivec2 c = point(first_of(word, rest));
        if (!is_hidden(a, b, c)) return bits;
        bits = rest;
        b = c;
    }
    for (int span = kWordPlaces / 2; span > 0; span /= 2) {
        int middle = findLSB(bits) + span;
        if (middle > findMSB(bits)) continue;
        uint below = bits & ((1u << middle) - 1u);
        uint above = bits ^ below;
        if (is_hidden(a, point(last_of(word, below)), point(first_of(word, above)))) bits = above;
    }
    bool one = (bits & (bits - 1u)) == 0u;
    return one && has_behind && is_hidden(a, point(first_of(word, bits)), d) ? 0u : bits;
}
// The same from the other side.
uint seen_from_behind(int word, uint bits, ivec2 d, ivec2 a, bool has_before) {
    ivec2 c = point(last_of(word, bits));
    for (int taken = 0; taken < kOneByOne; ++taken) {
        uint rest = bits & ~(1u << bit_of(c.x));
        if (rest == 0u) return has_before && is_hidden(a, c, d) ? 0u : bits;
        ivec2 b = point(last_of(word, rest));
        if (!is_hidden(b, c, d)) return bits;
        bits = rest;
        c = b;
    }
    for (int span = kWordPlaces / 2; span > 0; span /= 2) {
        int middle = findMSB(bits) - span + 1;
        if (middle <= findLSB(bits)) continue;
        uint below = bits & ((1u << middle) - 1u);
        uint above = bits ^ below;
        if (is_hidden(point(last_of(word, below)), point(first_of(word, above)), d)) bits = below;
    }
    bool one = (bits & (bits - 1u)) == 0u;
    return one && has_before && is_hidden(a, point(first_of(word, bits)), d) ? 0u : bits;
}

// What remains of the word's corners. `seen`: the corners before and behind it in the last round;
// where they are still the same there is nothing to do.
uint trimmed(int word, int words, inout ivec2 seen) {
    uint bits = corners(word);
    if (bits == 0u) return 0u;
    int before = last_in(0, word);
    int behind = first_in(word + 1, words);
    bool from_before = before >= 0 && before != seen.x;
    bool from_behind = behind >= 0 && behind != seen.y;
    seen = ivec2(before, behind);
    if (!from_before && !from_behind) return bits;
    ivec2 a = point(max(before, 0));
    ivec2 d = point(max(behind, 0));
    if (from_before) bits = seen_from_before(word, bits, a, d, behind >= 0);
    if (from_behind && bits != 0u) bits = seen_from_behind(word, bits, d, a, before >= 0);
    return bits;
}

#endif
