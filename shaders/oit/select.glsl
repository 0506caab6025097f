// The fragments of a pixel in order, kKeep at a time. Each invocation has a column of shared memory
// for them: places and node numbers move there, and the fragments themselves stay where they are.
// Longer lists are gone through again, from where the last round ended, so that nothing is lost
// however long they are.
#include "lists.glsl"

layout(constant_id = 13) const uint kKeep = 8u; // fragments sorted at a time
const uint kThreads = 64u;                      // of a group

shared uint kept_depth[kKeep * kThreads];
shared uint kept_node[kKeep * kThreads];

// Where the column's element i is.
uint column(uint i) {
    return i * kThreads + gl_LocalInvocationIndex;
}

// One round: the first fragments, in order, of those that come after `last` (kNoNode: of all).
struct Round {
    uint count; // in the column
    bool more;  // there are others after these
};

// Whether a comes before b in the order of this round.
bool comes_first(uint depth_a, uint a, uint depth_b, uint b, bool from_the_back) {
    return from_the_back ? is_before(depth_b, b, depth_a, a) : is_before(depth_a, a, depth_b, b);
}

Round select_after(uint pixel, uint capacity, uint last, bool from_the_back) {
    Round round = Round(0u, false);
    uint last_depth = last == kNoNode ? 0u : depth_key(last);
    for (Cursor c = first_fragment(pixel, capacity); !is_at_end(c); advance(c)) {
        uint node = c.node;
        uint depth = depth_key(node);
        if (last != kNoNode && !comes_first(last_depth, last, depth, node, from_the_back)) continue;
        uint place = round.count;
        if (place == kKeep) {
            round.more = true;
            --place;
            if (!comes_first(depth, node, kept_depth[column(place)], kept_node[column(place)],
                             from_the_back))
                continue;
        } else {
            ++round.count;
        }
        while (place > 0u &&
               comes_first(depth, node, kept_depth[column(place - 1u)],
                           kept_node[column(place - 1u)], from_the_back)) {
            kept_depth[column(place)] = kept_depth[column(place - 1u)];
            kept_node[column(place)] = kept_node[column(place - 1u)];
            --place;
        }
        kept_depth[column(place)] = depth;
        kept_node[column(place)] = node;
    }
    return round;
}
