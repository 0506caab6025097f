#ifndef DISTANCE_EXACT_GROUP
#define DISTANCE_EXACT_GROUP
// Makes one hull of those of a line's words, which the invocations of a group have, one each. The
// kernel has kGroup, kLines, line(), band(), the invocation's word, and point(place).

const int kBands = kGroup / kLines;     // words of a line
const int kBlocks = (kBands + 31) / 32; // of 32 words
const int kRounds = 16;                 // mostly enough

// By word or block, then by line. A round reads one half of the hulls and writes the other.
shared uint halves[2 * kGroup];
shared uint filled_of[kBlocks * kLines]; // a bit for each word that has corners
shared uint changed_in[kRounds];         // not 0: corners went

int current = 0; // the half that has the hulls

uint corners(int word) {
    return halves[current + word * kLines + line()];
}
uint filled_words(int block) {
    return filled_of[block * kLines + line()];
}
void empty_word(int word) {
    atomicAnd(filled_of[(word >> 5) * kLines + line()], ~(1u << (word & 31)));
}
void set_corners(int word, uint bits) {
    halves[current + word * kLines + line()] = bits;
    if (bits == 0u) empty_word(word);
}
#include "exact_joins.glsl"

// Takes corners off that others hide, in all words at once. Corners of the hull are never hidden, so
// it does not matter that the others may go at the same time.
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

// Before a barrier and the group's first set_hull().
void clear_hulls() {
    if (gl_LocalInvocationIndex < kRounds) changed_in[gl_LocalInvocationIndex] = 0u;
    if (gl_LocalInvocationIndex < kBlocks * kLines) filled_of[gl_LocalInvocationIndex] = 0u;
}
// The hull of the own word.
void set_hull(uint bits) {
    halves[gl_LocalInvocationIndex] = bits;
    if (bits != 0u) atomicOr(filled_of[(band() >> 5) * kLines + line()], 1u << (band() & 31));
}

void join_hulls() {
    ivec2 seen = kNothingSeen;
    bool changes = true;
    barrier();
    for (int rounds = 0; rounds < kRounds && changes; ++rounds) {
        uint bits = corners(band());
        uint remaining = trimmed(band(), kBands, seen);
        halves[kGroup - current + int(gl_LocalInvocationIndex)] = remaining;
        if (remaining != bits) {
            atomicOr(changed_in[rounds], 1u);
            if (remaining == 0u) empty_word(band());
        }
        barrier();
        changes = changed_in[rounds] != 0u;
        current = kGroup - current;
    }
    if (!changes) return; // none are left that others hide
    for (int span = 1; span < kBands; span *= 2) {
        int low = band() * 2 * span;
        if (low < kBands) join(low, low + span, low + 2 * span);
        barrier();
    }
}

// The half that has no hulls is for the bits of texels where owners begin.
void clear_begins() {
    halves[kGroup - current + int(gl_LocalInvocationIndex)] = 0u;
}
uint begins_of(int word) {
    return halves[kGroup - current + word * kLines + line()];
}
void add_begin(int place) {
    atomicOr(halves[kGroup - current + word_of(place) * kLines + line()], 1u << bit_of(place));
}

// The hull of a word's places. The kernel has height_in(at), start_of(word), where the heights of a
// word's places begin, and row_step(), from one to the next; has_near_sites(): products stay below
// 2^31; line_length(); and first_place(),
// the first of the places that the words count from.

// The places of a word that are below the lines between their neighbours, one to four places away:
// few others are left to take off one by one. `places`: of the line, from the word on.
uint convex_places(int start, int places) {
    const uint none = uint(kNoHeight);
    uint found = 0u;
    uint heights[kWordPlaces];
    [[unroll]] for (int i = 0; i < kWordPlaces; ++i)
        heights[i] = i < places ? uint(height_in(start + i * row_step())) : none;
    [[unroll]] for (int i = 0; i < kWordPlaces; ++i) {
        uint twice = 2u * heights[i];
        uint thrice = 3u * heights[i];
        bool below = heights[i] < none;
        if (i >= 1 && i + 1 < kWordPlaces)
            below = below && heights[i - 1] + heights[i + 1] + 2u > twice;
        if (i >= 2 && i + 2 < kWordPlaces)
            below = below && heights[i - 2] + heights[i + 2] + 8u > twice;
        if (i >= 1 && i + 2 < kWordPlaces)
            below = below && 2u * heights[i - 1] + heights[i + 2] + 6u > thrice;
        if (i >= 2 && i + 1 < kWordPlaces)
            below = below && heights[i - 2] + 2u * heights[i + 1] + 6u > thrice;
        if (i >= 4 && i + 4 < kWordPlaces)
            below = below && heights[i - 4] + heights[i + 4] + 32u > twice;
        found |= below ? 1u << i : 0u;
    }
    return found;
}

// A step adds a place or takes one off, so that neighbours that do one or the other keep together.
uint hull_of_word(int word) {
    int start = start_of(word);
    uint left = convex_places(start, line_length() - first_place() - word * kWordPlaces);
    uint bits = 0u;
    // Counted from the word's first place: lines through points stay what they are.
    ivec2 below = ivec2(0);
    ivec2 top = ivec2(0);
    int s = max(findLSB(left), 0);
    ivec2 added = ivec2(s, height_in(start + s * row_step()) + s * s);
    while (left != 0u) {
        uint rest = bits & ~(1u << top.x); // without the top
        bool hides = rest != 0u && (has_near_sites() ? is_hidden_near(below, top, added)
                                                     : is_hidden(below, top, added));
        if (hides) {
            bits = rest;
            top = below;
            s = findMSB(rest & ~(1u << top.x));
        } else {
            bits |= 1u << added.x;
            below = top;
            top = added;
            left &= left - 1u;
            s = findLSB(left);
        }
        s = max(s, 0);
        ivec2 read = ivec2(s, height_in(start + s * row_step()) + s * s);
        if (hides) below = read;
        else added = read;
    }
    return bits;
}

#endif
