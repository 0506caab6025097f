#version 460
// Lists the leaves of a tree, all of them and those that may be seen.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "surface.glsl"
#include "bisection.glsl"
#include "sums.glsl"
#include "bisection_seen.glsl"

uniform Params {
    vec4 ground;
    vec4 shape;
    vec2 bounds;
    uint depth;
    uint root_bits;
    uint faces;
    uint culled; // 0: all leaves may be seen
    vec4 planes[6]; // of the view: dot(plane, (p, 1)) is positive inside
} params;

readonly buffer Bits { uint words[]; } bits;

uint bits_word(uint i) {
    return bits.words[i];
}

#include "leaves.glsl"

readonly buffer Status { uint words[]; } status;
writeonly buffer Keys { uint nodes[]; } keys;
writeonly buffer Seen { uint nodes[]; } seen;
buffer SeenStatus { uint words[]; } seen_status;

shared uint found;
shared uint first;

void main() {
    uint i = invocation_index();
    if (gl_LocalInvocationIndex == 0u) found = 0u;
    barrier();
    TreeShape shape = TreeShape(params.depth, params.root_bits, params.faces);
    SurfaceTerms terms = SurfaceTerms(params.ground, params.shape);
    bool listed = i < status.words[kListed];
    uint node = 0u;
    bool is_seen = false;
    uint place = 0u;
    if (listed) {
        node = leaf_node(i, shape);
        keys.nodes[i] = node;
        is_seen = params.culled == 0u ||
                  triangle_may_be_seen(triangle_of(node, shape), level_of(node, shape),
                                       params.planes, params.bounds, terms);
        if (is_seen) place = atomicAdd(found, 1u);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u && found > 0u)
        first = atomicAdd(seen_status.words[kListed], found);
    barrier();
    if (is_seen) seen.nodes[first + place] = node;
}
