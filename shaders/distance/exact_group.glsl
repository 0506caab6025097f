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
// or behind the word touches it: some one by one, and then as many as halving finds. Both ends are
// looked at in the same steps, each as if the other stayed: what waits for memory waits together.

const int kOneByOne = 3;
const ivec2 kNothingSeen = ivec2(-2);

// The corners around a word, and at which ends there may be work.
struct Around {
    ivec2 before;
    ivec2 behind;
    bool has_before, has_behind;
    bool at_begin, at_end;
};

// Whether the last corner that is left is hidden.
bool is_none_left(int word, uint bits, Around at) {
    return (bits & (bits - 1u)) == 0u && at.has_before && at.has_behind &&
           is_hidden(at.before, point(first_of(word, bits)), at.behind);
}

// What is left of the word's corners.
uint seen_from_around(int word, uint bits, Around at) {
    uint left = bits;  // of the steps at the beginning
    uint right = bits; // of those at the end
    ivec2 first = point(first_of(word, bits));
    ivec2 last = point(last_of(word, bits));
    for (int taken = 0; taken < kOneByOne && (at.at_begin || at.at_end); ++taken) {
        uint behind_first = left & (left - 1u);
        uint before_last = right & ~(1u << bit_of(last.x));
        ivec2 second = point(first_of(word, max(behind_first, 1u)));
        ivec2 last_but_one = point(last_of(word, max(before_last, 1u)));
        at.at_begin = at.at_begin && behind_first != 0u && is_hidden(at.before, first, second);
        at.at_end = at.at_end && before_last != 0u && is_hidden(last_but_one, last, at.behind);
        if (at.at_begin) {
            left = behind_first;
            first = second;
        }
        if (at.at_end) {
            right = before_last;
            last = last_but_one;
        }
    }
    for (int span = kWordPlaces / 2; span > 0 && (at.at_begin || at.at_end); span /= 2) {
        int low = findLSB(left) + span;
        int high = findMSB(right) - span + 1;
        bool is_low = at.at_begin && low <= findMSB(left);
        bool is_high = at.at_end && high > findLSB(right);
        uint below = is_low ? left & ((1u << low) - 1u) : left;
        uint above = is_low ? left ^ below : left;
        uint under = is_high ? right & ((1u << high) - 1u) : right;
        uint over = is_high ? right ^ under : right;
        ivec2 b = point(last_of(word, below));
        ivec2 c = point(first_of(word, above));
        ivec2 e = point(last_of(word, under));
        ivec2 f = point(first_of(word, over));
        if (is_low && is_hidden(at.before, b, c)) left = above;
        if (is_high && is_hidden(e, f, at.behind)) right = under;
    }
    bits = left & right;
    return bits == 0u || is_none_left(word, bits, at) ? 0u : bits;
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
    return seen_from_around(word, bits,
                            Around(point(max(before, 0)), point(max(behind, 0)), before >= 0,
                                   behind >= 0, from_before, from_behind));
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
