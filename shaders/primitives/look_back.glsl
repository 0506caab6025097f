// The prefix of a tile by decoupled look-back (Merrill and Garland, "Single-pass Parallel Prefix
// Scan with Decoupled Look-back", NVIDIA NVR-2016-002, 2016): each tile publishes its total, adds
// up the totals published before it until it meets one that includes all earlier ones, and
// publishes its own inclusive prefix.
//
// Groups wait for tiles with lower numbers only, and tiles are numbered in the order in which
// groups start, so the lowest unfinished one never waits. That ends wherever a group that has
// started goes on: see DeviceCaps::forward_progress.
//
// How a value and its state are published: primitives/look_back_pair.glsl for all 32 bits,
// primitives/compact_look_back.comp for counts. Include one of them before, and
// primitives/operators.glsl or primitives/compact_body.glsl.
//
// The first subgroup looks back, and all of it has to come there together. On NVIDIA 580 branches are
// not enough for that: where all lanes did not do the same before, some were seen to go on by themselves,
// through barriers too, and to take what they found alone for what the subgroup finds together. Neither a
// subgroup barrier nor VK_KHR_shader_subgroup_uniform_control_flow helped. So a kernel that includes this
// does the same in all lanes, but for stores.
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require

shared uint shared_tile;
shared uint shared_prefix;

// The number of this group's tile. All invocations must call it.
uint take_tile() {
    if (gl_LocalInvocationIndex == 0u) shared_tile = take_ticket();
    barrier();
    return shared_tile;
}

// Tells the later tiles the total of this one: as early as it is known. All invocations must call
// it. Not the subgroup that looks back does the telling.
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
            Published seen;
            do seen = published(at);
            while (!subgroupAll(!exists || seen.state != kUnknown));
            uvec4 prefixes = subgroupBallot(exists && seen.state == kPrefixKnown);
            // The nearest tile whose published value includes all before it.
            uint nearest = gl_SubgroupSize;
            if (any(notEqual(prefixes, uvec4(0u)))) nearest = subgroupBallotFindLSB(prefixes);
            bool counts = exists && gl_SubgroupInvocationID <= nearest;
            uint value = counts ? seen.value : identity();
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
