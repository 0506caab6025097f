#version 460
// Lists the leaves of a tree, all of them and those that may be seen.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "surface.glsl"
#include "bounds.glsl"
#include "bisection.glsl"
#include "bisection_lod.glsl"
#include "bisection_status.glsl"
#include "frustum.glsl"

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

bool may_be_seen(uint node, TreeShape shape, SurfaceTerms terms) {
    if (params.culled == 0u) return true;
    Triangle t = triangle_of(node, shape);
    if (is_ground()) {
        vec2 y = triangle_bounds(t, level_of(node, shape), params.bounds, terms);
        vec3 a = surface_base_at(t.face, t.a, terms);
        vec3 b = surface_base_at(t.face, t.b, terms);
        vec3 c = surface_base_at(t.face, t.c, terms);
        vec3 low = min(a, min(b, c));
        vec3 high = max(a, max(b, c));
        return box_may_be_seen(vec3(low.x, y.x, low.z), vec3(high.x, y.y, high.z), params.planes);
    }
    // A sphere about the middle and the corners, and a quarter more.
    uvec2 m = (t.a >> 1u) + (t.c >> 1u);
    vec3 middle = surface_at(t.face, m, terms);
    float radius = max(distance(middle, surface_at(t.face, t.a, terms)),
                       max(distance(middle, surface_at(t.face, t.b, terms)),
                           distance(middle, surface_at(t.face, t.c, terms))));
    return sphere_may_be_seen(middle, 1.25 * radius, params.planes);
}

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
        is_seen = may_be_seen(node, shape, terms);
        if (is_seen) place = atomicAdd(found, 1u);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u && found > 0u)
        first = atomicAdd(seen_status.words[kListed], found);
    barrier();
    if (is_seen) seen.nodes[first + place] = node;
}
