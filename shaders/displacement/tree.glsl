// Quad trees of patches. Nodes are numbered level by level, those of a level row by row; a node is a box
// in steps of the patch's box. Trees are in shared memory, in a piece of a buffer that is the group's own,
// or, STORE_kept, in a buffer with those of all patches.
#ifndef DISPLACEMENT_TREE
#define DISPLACEMENT_TREE
#include "levels.glsl"

readonly buffer Links { uint values[]; } links; // first child, and what comes after, 16 bits each

const uint kEnd = 0xffffu;

// Words of a node.
uint node_words() {
    return bytes != 0u ? 2u : 3u;
}
uint first_of(uint level) {
    return ((1u << 2u * level) - 1u) / 3u;
}
uint depth_of(uint node) {
    return uint(findMSB(3u * node + 1u)) / 2u;
}

uint tree_at = 0u; // where the tree begins
#if STORE_kept
readonly buffer Trees { uint values[]; } trees;
uint get(uint at) {
    return trees.values[tree_at + at];
}
#else
#if STORE_shared
shared uint nodes[1365u * 3u]; // five levels below the root
void put(uint at, uint word) {
    nodes[at] = word;
}
uint get(uint at) {
    return nodes[at];
}
void see_nodes() {
    barrier();
}
#else
coherent buffer Scratch { uint values[]; } scratch;
void put(uint at, uint word) {
    scratch.values[tree_at + at] = word;
}
uint get(uint at) {
    return scratch.values[tree_at + at];
}
void see_nodes() {
    memoryBarrierBuffer();
    barrier();
}
#endif
#endif

struct NodeBox {
    uvec3 low;
    uvec3 high;
};
#if !STORE_kept
void store_node(uint node, NodeBox box) {
    uint at = node * node_words();
    if (bytes != 0u) {
        put(at, box.low.x | box.low.y << 8u | box.low.z << 16u);
        put(at + 1u, box.high.x | box.high.y << 8u | box.high.z << 16u);
        return;
    }
    put(at, box.low.x | box.high.x << 16u);
    put(at + 1u, box.low.y | box.high.y << 16u);
    put(at + 2u, box.low.z | box.high.z << 16u);
}
#endif
NodeBox load_node(uint node) {
    uint at = node * node_words();
    if (bytes != 0u) {
        uvec2 both = uvec2(get(at), get(at + 1u));
        return NodeBox(uvec3(both.x, both.x >> 8u, both.x >> 16u) & 0xffu,
                       uvec3(both.y, both.y >> 8u, both.y >> 16u) & 0xffu);
    }
    uvec3 words = uvec3(get(at), get(at + 1u), get(at + 2u));
    return NodeBox(words & 0xffffu, words >> 16u);
}

#if !STORE_kept
void add_to(inout NodeBox box, NodeBox other) {
    box.low = min(box.low, other.low);
    box.high = max(box.high, other.high);
}

NodeBox node_around(Steps steps, vec3 a, vec3 b, vec3 c, vec3 d) {
    return NodeBox(steps_below(steps, min(min(a, b), min(c, d))),
                   steps_above(steps, max(max(a, b), max(c, d))));
}

// Four by four cells and the nodes above them, of which each point is computed once. `block` counts
// blocks along each side.
void build_block(PatchRecord p, Steps steps, uvec2 block, uint level, float scale) {
    const uint kSide = 4u;
    uvec2 first = kSide * block;
    uint row = 1u << level;
    vec3 points[kSide + 1u];
    for (uint x = 0u; x <= kSide; ++x)
        points[x] = grid_point(p, first + uvec2(x, 0u), level, scale);
    NodeBox all = NodeBox(uvec3(0xffffu), uvec3(0u));
    NodeBox pairs[2] = NodeBox[2](all, all);
    for (uint y = 0u; y < kSide; ++y) {
        vec3 left = grid_point(p, first + uvec2(0u, y + 1u), level, scale);
        for (uint x = 0u; x < kSide; ++x) {
            vec3 right = grid_point(p, first + uvec2(x + 1u, y + 1u), level, scale);
            NodeBox box = node_around(steps, points[x], points[x + 1u], left, right);
            store_node(first_of(level) + (first.y + y) * row + first.x + x, box);
            add_to(pairs[x / 2u], box);
            points[x] = left;
            left = right;
        }
        points[kSide] = left;
        if (y % 2u == 0u) continue;
        uint node = first_of(level - 1u) + (first.y + y) / 2u * (row / 2u) + first.x / 2u;
        store_node(node, pairs[0]);
        store_node(node + 1u, pairs[1]);
        add_to(all, pairs[0]);
        add_to(all, pairs[1]);
        pairs = NodeBox[2](NodeBox(uvec3(0xffffu), uvec3(0u)), NodeBox(uvec3(0xffffu), uvec3(0u)));
    }
    store_node(first_of(level - 2u) + block.y * (row / kSide) + block.x, all);
}

// By a group of 64.
void build_tree(PatchRecord p, Steps steps, uint level, float scale) {
    uint above = level;
    if (level >= 2u) {
        above = level - 2u;
        for (uint k = gl_LocalInvocationID.x; k < 1u << 2u * above; k += 64u)
            build_block(p, steps, uvec2(k & (1u << above) - 1u, k >> above), level, scale);
    } else {
        uint k = gl_LocalInvocationID.x;
        if (k < 1u << 2u * level) {
            PatchBox box = cell_box(p, uvec2(k & (1u << level) - 1u, k >> level), level, scale);
            store_node(first_of(level) + k,
                       NodeBox(steps_below(steps, box.low), steps_above(steps, box.high)));
        }
    }
    while (above > 0u) {
        --above;
        see_nodes();
        uint row = 1u << above;
        for (uint k = gl_LocalInvocationID.x; k < row * row; k += 64u) {
            uint child = first_of(above + 1u) + 2u * (k / row) * 2u * row + 2u * (k % row);
            NodeBox box = load_node(child);
            add_to(box, load_node(child + 1u));
            add_to(box, load_node(child + 2u * row));
            add_to(box, load_node(child + 2u * row + 1u));
            store_node(first_of(above) + k, box);
        }
    }
    see_nodes();
}
#endif

// Sends a ray down the tree, from child to child on hits and past all of a node on misses.
void walk_tree(PreparedRay ray, PatchRecord p, Steps steps, PatchLevels levels, float scale,
               inout PatchHit best) {
    uint leaves = first_of(levels.level);
    bool coarse_edges = has_coarse_edges(levels);
    uint node = 0u;
    while (node != kEnd) {
        NodeBox quantised = load_node(node);
        PatchBox box =
            PatchBox(place_of_step(steps, quantised.low), place_of_step(steps, quantised.high));
        if (coarse_edges) {
            uint depth = depth_of(node);
            uint k = node - first_of(depth);
            box = with_edges(box, p, uvec2(k & ((1u << depth) - 1u), k >> depth), depth, levels, scale);
        }
        uint link = links.values[node];
        uint next = link >> 16u;
        if (may_hit(interval_in(ray.slabs, box.low, box.high), best.t)) {
            if (node >= leaves) {
                uint k = node - leaves;
                meet_cell(ray, p, uvec2(k & ((1u << levels.level) - 1u), k >> levels.level), levels,
                          scale, best);
            } else {
                next = link & 0xffffu;
            }
        }
        node = next;
    }
}

#endif
