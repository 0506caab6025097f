// The fragments of a pixel in order, kKeep at a time. Each invocation has a column of shared memory
// for them: places and node numbers move there, and the fragments themselves stay where they are.
// Longer lists are gone through again, from where the last round ended, so that nothing is lost
// however long they are.
#include "lists.glsl"

layout(constant_id = 13) const uint kKeep = 8u; // fragments sorted at a time
const uint kThreads = 64u;                      // of a group

// Orders in which fragments are selected.
const uint kFromFront = 0u;
const uint kFromBack = 1u;
const uint kAsDrawn = 2u; // by triangle, where it is stored

shared uint kept_key[kKeep * kThreads];
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

// What fragments are sorted by first.
uint order_key(uint node, uint order) {
    return order == kAsDrawn ? triangle_of(node) : depth_key(node);
}

// Whether a comes before b in an order.
bool comes_first(uint key_a, uint a, uint key_b, uint b, uint order) {
    if (order == kFromFront) return is_before(key_a, a, key_b, b);
    if (order == kFromBack) return is_before(key_b, b, key_a, a);
    if (key_a != key_b) return key_a < key_b;
    return is_before(depth_key(a), a, depth_key(b), b);
}

Round select_after(uint pixel, uint capacity, uint last, uint order) {
    Round round = Round(0u, false);
    uint last_key = last == kNoNode ? 0u : order_key(last, order);
    for (Cursor c = first_fragment(pixel, capacity); !is_at_end(c); advance(c)) {
        uint node = c.node;
        uint key = order_key(node, order);
        if (last != kNoNode && !comes_first(last_key, last, key, node, order)) continue;
        uint place = round.count;
        if (place == kKeep) {
            round.more = true;
            --place;
            if (!comes_first(key, node, kept_key[column(place)], kept_node[column(place)], order))
                continue;
        } else {
            ++round.count;
        }
        while (place > 0u &&
               comes_first(key, node, kept_key[column(place - 1u)], kept_node[column(place - 1u)],
                           order)) {
            kept_key[column(place)] = kept_key[column(place - 1u)];
            kept_node[column(place)] = kept_node[column(place - 1u)];
            --place;
        }
        kept_key[column(place)] = key;
        kept_node[column(place)] = node;
    }
    return round;
}
