#ifndef DISTANCE_EXACT_TRIM
#define DISTANCE_EXACT_TRIM
// Takes corners off that others hide, in all words at once. Corners of the hull are never hidden, so
// it does not matter that the others may go at the same time. Needs exact_joins.glsl.

// What remains of the word's corners. Words are hulls, so those at the ends go first.
uint trimmed(int word, int words) {
    uint bits = corners(word);
    if (bits == 0u) return 0u;
    int before = last_in(0, word);
    int behind = first_in(word + 1, words);
    ivec2 a = point(max(before, 0));
    ivec2 d = point(max(behind, 0));
    int first = first_of(word, bits);
    ivec2 b = point(first);
    int last = last_of(word, bits);
    ivec2 c = first == last ? b : point(last);
    // Between a and d, which are not in the word, and which may be missing.
    bool more = before >= 0;
    while (more) {
        uint rest = bits & (bits - 1u);
        more = rest != 0u || behind >= 0;
        if (more) {
            ivec2 next = d;
            if (rest != 0u) {
                int s = first_of(word, rest);
                next = s == c.x ? c : point(s);
            }
            more = is_hidden(a, b, next);
            if (more) {
                bits = rest;
                b = next;
                more = rest != 0u;
            }
        }
    }
    more = bits != 0u && behind >= 0;
    while (more) {
        uint rest = bits & ~(1u << bit_of(c.x));
        more = rest != 0u || before >= 0;
        if (more) {
            ivec2 next = a;
            if (rest != 0u) {
                int s = last_of(word, rest);
                next = s == b.x ? b : point(s);
            }
            more = is_hidden(next, c, d);
            if (more) {
                bits = rest;
                c = next;
                more = rest != 0u;
            }
        }
    }
    return bits;
}

#endif
