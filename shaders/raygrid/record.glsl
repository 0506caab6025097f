// The best hit of each ray, which many invocations write. ATOMICS 0: words of 32 bits in two
// phases, first the least t, then, of the triangles there, the least number. 1: one word of 64
// bits. 2: a lock in the sign of t's bits, and then the triangle.
#include "rays.glsl"

layout(constant_id = 45) const uint any = 0u; // 1: any hit will do

#if ATOMICS == 1
buffer Best { uint64_t values[]; } best;
#elif ATOMICS == 2
#include "cast_status.glsl"
coherent buffer Best { int words[]; } best;
#else
layout(constant_id = 44) const uint phase = 0u; // 1: t is known
buffer Best { uint words[]; } best;
#endif

// What a hit has to be better than. Others may have found better ones meanwhile.
Hit known_hit(uint slot) {
    Hit hit = Hit(0.0, kNoTriangle, vec2(0.0), kNoInstance);
#if ATOMICS == 1
    uvec2 words = unpackUint2x32(best.values[slot]);
    hit.triangle = words[kBestTriangle];
    hit.t = uintBitsToFloat(words[kBestT]);
#elif ATOMICS == 2
    int t = best.words[2u * slot + kBestT];
    hit.triangle = uint(best.words[2u * slot + kBestTriangle]);
    hit.t = intBitsToFloat(t < 0 ? ~t : t);
    // A lock lets nearer ones in alone.
    if (any == 0u && hit.triangle != kNoTriangle) hit.triangle = 0u;
#else
    hit.triangle = best.words[2u * slot + kBestTriangle];
    hit.t = uintBitsToFloat(best.words[2u * slot + kBestT]);
    // For the first phase as near is not nearer.
    if (any == 0u && phase == 0u) hit.triangle = 0u;
#endif
    return hit;
}

#if ATOMICS == 2
// A record is ~t while it is locked: below 0 also where t is 0, and less than any other. An
// invocation that finds it locked tries again, and does not wait within the branch. Even so Vulkan
// does not promise that the one that holds the lock goes on: after many tries the hit is given up,
// and counted.
void offer_locked(uint slot, uint t_bits, uint triangle) {
    const uint kMaxTries = 1024u;
    int t = int(t_bits);
    uint at = 2u * slot + kBestT;
    bool waits = true;
    for (uint i = 0u; i < kMaxTries && waits; ++i) {
        int before = atomicMin(best.words[at], t);
        int known = before < 0 ? ~before : before;
        bool first = known == t && before >= 0 &&
                     uint(best.words[2u * slot + kBestTriangle]) == kNoTriangle;
        if (known <= t && !first) {
            waits = false; // there is one as near
        } else if (before >= 0) {
            waits = false; // locked here, or somebody has come with a nearer one
            if (atomicCompSwap(best.words[at], t, ~t) == t) {
                best.words[2u * slot + kBestTriangle] = int(triangle);
                memoryBarrierBuffer();
                atomicExchange(best.words[at], t);
            }
        }
    }
    if (waits) atomicAdd(cast_status.gave_up, 1u);
}
#endif

// Of zeros, the positive one: bits of t are in the order of numbers.
uint bits_of_t(float t) {
    return t == 0.0 ? 0u : floatBitsToUint(t);
}

void offer_hit(uint slot, Hit hit) {
#if ATOMICS == 1
    uvec2 words;
    words[kBestTriangle] = hit.triangle;
    words[kBestT] = bits_of_t(hit.t);
    atomicMin(best.values[slot], packUint2x32(words));
#elif ATOMICS == 2
    if (any != 0u) best.words[2u * slot + kBestTriangle] = int(hit.triangle);
    else offer_locked(slot, bits_of_t(hit.t), hit.triangle);
#else
    if (any != 0u) {
        best.words[2u * slot + kBestTriangle] = hit.triangle;
    } else if (phase == 0u) {
        uint t = bits_of_t(hit.t);
        uint before = atomicMin(best.words[2u * slot + kBestT], t);
        // The triangle of an earlier round is not the nearest any more.
        if (before > t) best.words[2u * slot + kBestTriangle] = kNoTriangle;
    } else {
        atomicMin(best.words[2u * slot + kBestTriangle], hit.triangle);
    }
#endif
}
