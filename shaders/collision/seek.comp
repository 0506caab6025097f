#version 460
// Each leaf of the first mesh looks for leaves of the second whose boxes meet its own: an invocation
// a leaf, down the second hierarchy with a stack, in the second mesh's coordinates, where boxes lie
// along the axes. Within one mesh (`kSelf`) a leaf looks among those behind it.

layout(local_size_x = 64) in;

layout(constant_id = 0) const uint kSelf = 0u;

#include "bvh/bvh.glsl"
#include "frame.glsl"
#include "invocation.glsl"
#include "status.glsl"

uniform Params {
    uint room; // for candidates
} params;

readonly buffer StatusA { HierarchyStatus elements[]; } status_a;
readonly buffer StatusB { HierarchyStatus elements[]; } status_b;
readonly buffer LeavesA { vec4 values[]; } leaves_a;
readonly buffer LeavesB { vec4 values[]; } leaves_b;
readonly buffer NodesB { vec4 values[]; } nodes_b;
readonly buffer Frame { PairFrame elements[]; } frame;
#include "candidates.glsl"

const uint kDeepest = 64u; // of a hierarchy of 2^26 leaves and codes of 30 bits

struct Bounds {
    vec3 low;
    vec3 high;
};

// Back into the second mesh's coordinates. Where the placement is a motion the inverse is the
// transpose.
vec3 moved_back(vec4 rows[3], vec3 point) {
    vec3 apart = point - vec3(rows[0].w, rows[1].w, rows[2].w);
    return rows[0].xyz * apart.x + rows[1].xyz * apart.y + rows[2].xyz * apart.z;
}

Bounds leaf_bounds(uint leaf, PairFrame f) {
    Bounds bounds = Bounds(vec3(3.402823466e38), vec3(-3.402823466e38));
    for (uint corner = 0u; corner < 3u; ++corner) {
        vec3 place = leaves_a.values[3u * leaf + corner].xyz;
        if (kSelf == 0u) place = moved_back(f.rows, place);
        bounds.low = min(bounds.low, place);
        bounds.high = max(bounds.high, place);
    }
    return Bounds(bounds.low - f.slack, bounds.high + f.slack);
}

bool meets(Bounds a, vec3 low, vec3 high) {
    return all(lessThanEqual(a.low, high)) && all(lessThanEqual(low, a.high));
}

void main() {
    uint leaf = invocation_index();
    if (leaf >= status_a.elements[0].leaves) return;
    PairFrame f = frame.elements[0];
    uint root = status_b.elements[0].root;
    if (root == kNoNode || f.is_rigid == 0u) return;
    Bounds own = leaf_bounds(leaf, f);
    if ((root & kLeafBit) != 0u) {
        // The only leaf: it has no node that would know its box.
        if (kSelf != 0u) return;
        vec3 a = leaves_b.values[0].xyz;
        vec3 b = leaves_b.values[1].xyz;
        vec3 c = leaves_b.values[2].xyz;
        if (meets(own, min(min(a, b), c), max(max(a, b), c))) add_candidate(leaf, 0u, params.room);
        return;
    }
    uint stack[kDeepest];
    uint waiting = 0u;
    uint tests = 0u;
    uint node = root;
    while (true) {
        vec4 low_left = nodes_b.values[4u * node];
        vec4 high_left = nodes_b.values[4u * node + 1u];
        vec4 low_right = nodes_b.values[4u * node + 2u];
        vec4 high_right = nodes_b.values[4u * node + 3u];
        // The left child ends with the leaf that has the node's number.
        bool left = meets(own, low_left.xyz, high_left.xyz) && (kSelf == 0u || node > leaf);
        bool right = meets(own, low_right.xyz, high_right.xyz);
        tests += 2u;
        uint to_left = floatBitsToUint(low_left.w);
        uint to_right = floatBitsToUint(low_right.w);
        if (left && (to_left & kLeafBit) != 0u) {
            add_candidate(leaf, to_left & ~kLeafBit, params.room);
            left = false;
        }
        if (right && (to_right & kLeafBit) != 0u) {
            uint other = to_right & ~kLeafBit;
            if (kSelf == 0u || other > leaf) add_candidate(leaf, other, params.room);
            right = false;
        }
        if (left && right && waiting < kDeepest) stack[waiting++] = to_right;
        if (left) node = to_left;
        else if (right) node = to_right;
        else if (waiting > 0u) node = stack[--waiting];
        else break;
    }
    atomicAdd(collision_status.elements[0].box_tests, tests);
}
