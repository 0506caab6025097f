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
// What a group finds goes through shared memory, and no operation of subgroups is used: on NVIDIA 580 lanes
// of the subgroup that looked back were seen to go on by themselves, through barriers and votes too, and to
// take what they found alone for what all find together. Queues of tracers were wrong for it.
shared uint shared_tile;

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

// What this window of tiles before has published, and how far it is to the nearest whose value includes all
// before it.
const uint kWindow = 32u;
shared Published shared_published[kWindow];
shared uint shared_nearest;
shared uint shared_prefix;

// Everything before tile `tile`, whose total is `total`; `announce` has been called. All
// invocations must call it, once.
uint prefix_of(uint tile, uint total) {
    uint own = gl_LocalInvocationIndex;
    uint prefix = identity(); // of invocation 0
    if (own == 0u) shared_nearest = kWindow;
    barrier();
    for (uint end = tile; end > 0u; end -= min(end, kWindow)) { // tiles from `end` on are in `prefix`
        if (own < kWindow) {
            bool waits = own < end;
            if (!waits) shared_published[own] = Published(kTotalKnown, identity());
            while (waits) { // SwiftShader keeps no value that a lane leaves a loop with
                Published seen = published(end - 1u - own);
                waits = seen.state == kUnknown;
                if (!waits) shared_published[own] = seen;
                if (seen.state == kPrefixKnown) atomicMin(shared_nearest, own);
            }
        }
        barrier();
        uint nearest = shared_nearest;
        if (own == 0u)
            for (uint i = 0u; i < min(nearest + 1u, kWindow); ++i)
                prefix = combine(shared_published[i].value, prefix);
        if (nearest < kWindow) break;
        barrier();
    }
    if (own == 0u) {
        shared_prefix = prefix;
        if (tile != 0u) publish(tile, combine(prefix, total), kPrefixKnown);
    }
    barrier();
    return shared_prefix;
}
