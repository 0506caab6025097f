// Wide nodes from binary ones.
//
// A wide node is in the slot of the binary node that it takes the place of. Its children are found
// by taking apart the one with the largest surface until there are eight. Which nodes become wide
// ones is known from the root down only; small subtrees are made by one invocation, the others go to
// the queue: level by level, one after the other.
#include "bvh/bvh.glsl"

readonly buffer Nodes { uvec4 values[]; } nodes; // binary
// A group may make several levels.
coherent buffer Queue { uint values[]; } queue;
coherent buffer Counts { uint values[]; } counts;
writeonly buffer Wide { uvec4 values[]; } wide;

const uint kSmall = 64u;       // leaves of a subtree that one invocation makes
const uint kMaxWaiting = 32u; // nodes in such a subtree that wait: each has two leaves or more

struct WideChild {
    vec3 low;
    vec3 high;
    uint node; // reference
};
WideChild wide_children[kWideChildren];

float surface(WideChild child) {
    vec3 size = child.high - child.low;
    return size.x * size.y + size.y * size.z + size.z * size.x;
}

void take_apart(uint node, uint at, uint count) {
    uvec4 a = nodes.values[4u * node];
    uvec4 b = nodes.values[4u * node + 1u];
    uvec4 c = nodes.values[4u * node + 2u];
    uvec4 d = nodes.values[4u * node + 3u];
    wide_children[at] = WideChild(uintBitsToFloat(a.xyz), uintBitsToFloat(b.xyz), a.w);
    wide_children[count] = WideChild(uintBitsToFloat(c.xyz), uintBitsToFloat(d.xyz), c.w);
}

// Fills `wide_children`; returns how many there are.
uint children_of(uint node) {
    take_apart(node, 0u, 1u);
    uint count = 2u;
    while (count < kWideChildren) {
        uint largest = kWideChildren;
        float most = -1.0;
        for (uint i = 0u; i < count; ++i) {
            float size = surface(wide_children[i]);
            if ((wide_children[i].node & kLeafBit) == 0u && size > most) {
                most = size;
                largest = i;
            }
        }
        if (largest == kWideChildren) break;
        take_apart(wide_children[largest].node, largest, count);
        ++count;
    }
    return count;
}

// The least step of a power of two of which 255 reach from `low` to `high`.
uint exponent_for(float low, float high) {
    uint exponent = clamp(floatBitsToUint((high - low) / 255.0) >> 23u, 1u, 254u);
    while (exponent < 254u && place_of(low, 255u, step_of(exponent)) < high)
        ++exponent;
    return exponent;
}

// The last step that is not above `place`, and the first that is not below.
uint step_below(float origin, float size, float place) {
    uint steps = uint(clamp((place - origin) / size, 0.0, 255.0));
    while (steps > 0u && place_of(origin, steps, size) > place)
        --steps;
    return steps;
}
uint step_above(float origin, float size, float place) {
    uint steps = uint(clamp((place - origin) / size, 0.0, 255.0));
    while (steps < 255u && place_of(origin, steps, size) < place)
        ++steps;
    return steps;
}

// Gives each child the free place that suits it best, those first that care most.
void find_places(uint count, vec3 middle, out uint child_at[kWideChildren]) {
    for (uint place = 0u; place < kWideChildren; ++place)
        child_at[place] = kWideChildren;
    uint placed = 0u;
    for (uint k = 0u; k < count; ++k) {
        float best = -3.4028234e38;
        uint best_child = kWideChildren;
        uint best_place = kWideChildren;
        for (uint i = 0u; i < count; ++i) {
            if ((placed >> i & 1u) != 0u) continue;
            vec3 aside = 0.5 * wide_children[i].low + 0.5 * wide_children[i].high - middle;
            for (uint place = 0u; place < kWideChildren; ++place) {
                if (child_at[place] != kWideChildren) continue;
                float suits = ((place & 1u) != 0u ? aside.x : -aside.x) +
                              ((place & 2u) != 0u ? aside.y : -aside.y) +
                              ((place & 4u) != 0u ? aside.z : -aside.z);
                if (suits > best || best_child == kWideChildren) {
                    best = suits;
                    best_child = i;
                    best_place = place;
                }
            }
        }
        child_at[best_place] = best_child;
        placed |= 1u << best_child;
    }
}

void write_wide(uint node, uint count) {
    vec3 low = wide_children[0].low;
    vec3 high = wide_children[0].high;
    for (uint i = 1u; i < count; ++i) {
        low = min(low, wide_children[i].low);
        high = max(high, wide_children[i].high);
    }
    uint child_at[kWideChildren];
    find_places(count, 0.5 * low + 0.5 * high, child_at);
    uvec3 exponents;
    for (uint axis = 0u; axis < 3u; ++axis)
        exponents[axis] = exponent_for(low[axis], high[axis]);
    uint references[kWideChildren];
    uint planes[12]; // low x, y, z and high x, y, z, two words each
    for (uint i = 0u; i < 12u; ++i)
        planes[i] = 0u;
    for (uint place = 0u; place < kWideChildren; ++place) {
        references[place] = kNoNode;
        if (child_at[place] == kWideChildren) continue;
        WideChild child = wide_children[child_at[place]];
        references[place] = child.node;
        uint shift = 8u * (place & 3u);
        for (uint axis = 0u; axis < 3u; ++axis) {
            float size = step_of(exponents[axis]);
            planes[2u * axis + (place >> 2u)] |= step_below(low[axis], size, child.low[axis])
                                                 << shift;
            planes[6u + 2u * axis + (place >> 2u)] |= step_above(low[axis], size, child.high[axis])
                                                      << shift;
        }
    }
    uint at = kWideQuads * node;
    wide.values[at] = uvec4(floatBitsToUint(low), exponents.x | exponents.y << 8u | exponents.z << 16u);
    wide.values[at + 1u] = uvec4(references[0], references[1], references[2], references[3]);
    wide.values[at + 2u] = uvec4(references[4], references[5], references[6], references[7]);
    wide.values[at + 3u] = uvec4(planes[0], planes[1], planes[2], planes[3]);
    wide.values[at + 4u] = uvec4(planes[4], planes[5], planes[6], planes[7]);
    wide.values[at + 5u] = uvec4(planes[8], planes[9], planes[10], planes[11]);
}

// The first of the queue that is of `level`.
uint begin_of(uint level) {
    uint begin = 0u;
    for (uint i = 0u; i < level; ++i)
        begin += counts.values[i];
    return begin;
}

// Makes a node of `level`, and all below that are small; `next` is where the next level begins.
void widen(uint root, uint level, uint next) {
    uint waiting[kMaxWaiting];
    uint end = 0u;
    uint node = root;
    while (true) {
        uint count = children_of(node);
        write_wide(node, count);
        for (uint i = 0u; i < count; ++i) {
            uint child = wide_children[i].node;
            if ((child & kLeafBit) != 0u) continue;
            if (nodes.values[4u * child + 3u].w <= kSmall)
                waiting[end++] = child;
            else
                queue.values[next + atomicAdd(counts.values[level + 1u], 1u)] = child;
        }
        if (end == 0u) break;
        node = waiting[--end];
    }
}
