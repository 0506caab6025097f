// A ray from node to node (after Amanatides and Woo 1987). Cells are those of the deepest level, and
// places are in cells from the root's corner.
#ifndef OCTREE_STEPS
#define OCTREE_STEPS

#include "key.glsl"
#include "pool.glsl"

layout(constant_id = 22) const uint kSkipsFree = 0u;
readonly buffer Tree { uvec2 nodes[]; } tree;

struct TreeRay {
    vec3 origin;
    vec3 direction; // of unit length
};

struct Visit {
    uint node;
    uint level; // of the node
    uvec2 words;
    ivec3 low;  // its first cell
    int size;   // cells along a side
};

int root_cells() {
    return 1 << int(kDepth);
}

// Where the ray is in the root, x to y; empty where x > y.
vec2 within_root(TreeRay ray) {
    vec2 range = vec2(0.0, 3e38);
    for (int i = 0; i < 3; ++i) {
        float far = float(root_cells());
        if (ray.direction[i] == 0.0) {
            if (ray.origin[i] < 0.0 || ray.origin[i] >= far) range.y = -1.0;
            continue;
        }
        float a = -ray.origin[i] / ray.direction[i];
        float b = (far - ray.origin[i]) / ray.direction[i];
        range.x = max(range.x, min(a, b));
        range.y = min(range.y, max(a, b));
    }
    return range;
}

ivec3 cell_at(TreeRay ray, float t) {
    return clamp(ivec3(floor(ray.origin + t * ray.direction)), ivec3(0), ivec3(root_cells() - 1));
}

// The first children on the way down to the node of a ray's last visit, for each ray of a group of 64.
shared uint way_down[64u * 21u];

Visit no_visit() {
    return Visit(0u, 0u, uvec2(0u), ivec3(0), 0);
}

// The node at `deepest` that the cell is in, or the childless one above it; with kSkipsFree also one
// that is not occupied, for then nothing below it is. Goes down from where the way to the node
// before parts.
Visit node_of(ivec3 cell, Visit before, uint deepest) {
    uint level = 0u;
    if (before.level != 0u) {
        ivec3 differing = cell ^ before.low;
        int highest = findMSB(differing.x | differing.y | differing.z);
        level = min(uint(int(kDepth) - 1 - highest), min(before.level, deepest) - 1u);
    }
    uint lane = gl_LocalInvocationIndex;
    uint first = level == 0u ? 0u : way_down[64u * level + lane];
    Visit visit = no_visit();
    while (level < deepest) {
        way_down[64u * level + lane] = first;
        ++level;
        uvec3 bits = uvec3(cell) >> kDepth - level & 1u;
        visit.node = first + bits.x + 2u * bits.y + 4u * bits.z;
        visit.words = tree.nodes[visit.node];
        if ((visit.words.x & kHasChildren) == 0u) break;
        if (kSkipsFree != 0u && visit.words.y >> 24u <= kUnknown) break;
        first = visit.words.x & kFirstChild;
    }
    visit.level = level;
    visit.size = 1 << int(kDepth - level);
    visit.low = cell & ~(visit.size - 1);
    return visit;
}

// To the next node; false outside the root. Rounding takes the ray neither back nor through a corner
// that it does not reach.
bool next_cell(TreeRay ray, Visit visit, inout ivec3 cell, inout float t) {
    vec3 along = vec3(3e38);
    bvec3 forward = greaterThan(ray.direction, vec3(0.0));
    ivec3 edge = visit.low + mix(ivec3(0), ivec3(visit.size), forward);
    for (int i = 0; i < 3; ++i)
        if (ray.direction[i] != 0.0) along[i] = (float(edge[i]) - ray.origin[i]) / ray.direction[i];
    int axis = along.x < along.y ? along.x < along.z ? 0 : 2 : along.y < along.z ? 1 : 2;
    t = max(t, along[axis]);
    ivec3 reached = ivec3(floor(ray.origin + t * ray.direction));
    ivec3 last = visit.low + visit.size - 1;
    for (int i = 0; i < 3; ++i)
        if (i == axis) cell[i] = forward[i] ? edge[i] : edge[i] - 1;
        else cell[i] = forward[i] ? clamp(reached[i], cell[i], last[i])
                                  : clamp(reached[i], visit.low[i], cell[i]);
    return cell[axis] >= 0 && cell[axis] < root_cells();
}

#endif
