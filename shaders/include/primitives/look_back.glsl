// The prefix of a tile by decoupled look-back (Merrill and Garland, "Single-pass Parallel Prefix
// Scan with Decoupled Look-back", NVIDIA NVR-2016-002, 2016): each tile publishes its total, adds
// up the totals published before it until it meets one that includes all earlier ones, and
// publishes its own inclusive prefix.
//
// Groups wait for tiles with lower numbers only, and tiles are numbered in the order in which
// groups start, so the lowest unfinished one never waits. That ends wherever a group that has
// started goes on: see DeviceCaps::forward_progress.
//
// A value of 32 bits and its state do not fit one word, and two words are not written at once. So
// each of the two words carries the state and half of the value: a reader that finds the same
// state in both has the value, in whatever order they arrive.
//
// Include primitives/operators.glsl or primitives/counts.glsl before.
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require

// Zero at the start: the next tile's number and an unused word, then two words for each tile.
coherent buffer LookBack { uvec2 states[]; } look_back;

const uint kTotalKnown = 1u << 16;
const uint kPrefixKnown = 2u << 16;

shared uint shared_tile;
shared uint shared_prefix;

// The number of this group's tile. All invocations must call it.
uint take_tile() {
    if (gl_LocalInvocationIndex == 0u) shared_tile = atomicAdd(look_back.states[0].x, 1u);
    barrier();
    return shared_tile;
}

// Words that groups tell each other are written and read by read-modify-write operations. Loads,
// plain or atomic, may be compiled to two, and find two values where one is meant (seen with lavapipe
// of Mesa 22.3). On an NVIDIA H200 atomic loads make scans a fifth slower.
void publish(uint tile, uint value, uint state) {
    atomicExchange(look_back.states[tile + 1u].x, state | (value & 0xffffu));
    atomicExchange(look_back.states[tile + 1u].y, state | (value >> 16));
}

uvec2 published(uint tile) {
    return uvec2(atomicOr(look_back.states[tile + 1u].x, 0u),
                 atomicOr(look_back.states[tile + 1u].y, 0u));
}

// Tells the later tiles the total of this one: as early as it is known. All invocations must call
// it. Not the subgroup that looks back does the telling: one of its invocations, back from a branch
// of its own, was seen to go on by itself (NVIDIA 580), and to take what it found alone for what
// the subgroup finds together. A subgroup barrier did not help.
void announce(uint tile, uint total) {
    if (gl_LocalInvocationIndex == gl_WorkGroupSize.x - 1u)
        publish(tile, total, tile == 0u ? kPrefixKnown : kTotalKnown);
}

// Everything before tile `tile`, whose total is `total`; `announce` has been called. All
// invocations must call it, once.
uint prefix_of(uint tile, uint total) {
    if (gl_SubgroupID == 0u) {
        uint prefix = identity();
        uint end = tile; // tiles from here on are in `prefix`
        while (end > 0u) {
            bool exists = gl_SubgroupInvocationID < end;
            uint at = exists ? end - 1u - gl_SubgroupInvocationID : 0u;
            uvec2 words;
            bool known;
            do {
                words = published(at);
                known = !exists || (words.x >> 16 == words.y >> 16 && words.x >> 16 != 0u);
            } while (!subgroupAll(known));
            uvec4 prefixes = subgroupBallot(exists && words.x >> 16 == kPrefixKnown >> 16);
            // The nearest tile whose published value includes all before it.
            uint nearest = gl_SubgroupSize;
            if (any(notEqual(prefixes, uvec4(0u)))) nearest = subgroupBallotFindLSB(prefixes);
            bool counts = exists && gl_SubgroupInvocationID <= nearest;
            uint value = counts ? (words.x & 0xffffu) | (words.y << 16) : identity();
            prefix = combine(prefix, subgroup_combine(value));
            if (nearest < gl_SubgroupSize) break;
            end -= min(end, gl_SubgroupSize);
        }
        if (subgroupElect()) {
            if (tile != 0u) publish(tile, combine(prefix, total), kPrefixKnown);
            shared_prefix = prefix;
        }
    }
    barrier();
    return shared_prefix;
}
