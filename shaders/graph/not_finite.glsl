// What a check of numbers has found. Four words each: the lowest index of a number that is not
// finite, the lowest of a NaN, and how many there are less one; all bits are set at first.
#ifndef NOT_FINITE
#define NOT_FINITE

buffer Found { uint words[]; } found;

const uint kNone = 0xffffffffu;
const uint kWordsPerCheck = 4;

struct Findings {
    uint first;
    uint first_nan;
    uint count;
};

Findings nothing_found() {
    return Findings(kNone, kNone, 0u);
}

// Bits are looked at, because compilers may take isnan for false.
Findings with_number(Findings so_far, uint index, bool is_finite, bool is_nan) {
    if (is_finite) return so_far;
    return Findings(min(so_far.first, index),
                    is_nan ? min(so_far.first_nan, index) : so_far.first_nan, so_far.count + 1u);
}

Findings with_float(Findings so_far, uint index, uint bits) {
    const uint kInfinity = 0x7f800000u;
    uint magnitude = bits & 0x7fffffffu;
    return with_number(so_far, index, magnitude < kInfinity, magnitude > kInfinity);
}

void report(uint check, Findings findings) {
    if (findings.count == 0) return;
    uint word = check * kWordsPerCheck;
    atomicMin(found.words[word], findings.first);
    atomicMin(found.words[word + 1], findings.first_nan);
    atomicAdd(found.words[word + 2], findings.count);
}

#endif
