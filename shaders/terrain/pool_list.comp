#version 460
// Lists the leaves of a pool, in the order of their slots, and those that the view may show.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "surface.glsl"
#include "wide_node.glsl"
#include "bisection_seen.glsl"
#include "sums.glsl"

uniform Params {
    vec4 ground;
    vec4 shape;
    vec2 bounds;
    uint root_bits;
    uint capacity;
    uint culled;    // 0: all leaves may be seen
    vec4 planes[6]; // of the view: dot(plane, (p, 1)) is positive inside
} params;

readonly buffer Keys { uvec2 nodes[]; } keys;
readonly buffer Used { uint words[]; } used; // 1: a leaf is there
readonly buffer Offsets { uint words[]; } offsets;
readonly buffer Total { uint word; } total;
writeonly buffer List { uvec2 nodes[]; } list;
buffer Status { uint words[]; } status;
writeonly buffer Seen { uvec2 nodes[]; } seen;
buffer SeenStatus { uint words[]; } seen_status;

shared uint found;
shared uint first;

void main() {
    uint i = invocation_index();
    if (gl_LocalInvocationIndex == 0u) found = 0u;
    barrier();
    TreeShape shape = TreeShape(0u, params.root_bits, 0u);
    SurfaceTerms terms = SurfaceTerms(params.ground, params.shape);
    bool is_seen = false;
    uint place = 0u;
    uvec2 node = kNoNode;
    if (i == 0u) {
        status.words[kListed] = total.word;
        status.words[kLeaves] = total.word;
    }
    if (i < params.capacity && used.words[i] != 0u) {
        node = keys.nodes[i];
        list.nodes[offsets.words[i]] = node;
        is_seen = params.culled == 0u ||
                  triangle_may_be_seen(wide_triangle(node, shape),
                                       wide_depth(node) - shape.root_bits, params.planes,
                                       params.bounds, terms);
        if (is_seen) place = atomicAdd(found, 1u);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u && found > 0u)
        first = atomicAdd(seen_status.words[kListed], found);
    barrier();
    if (is_seen) seen.nodes[first + place] = node;
}
