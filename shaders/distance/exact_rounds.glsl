#ifndef DISTANCE_EXACT_ROUNDS
#define DISTANCE_EXACT_ROUNDS
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
#include "exact_trim.glsl"

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

#endif
