#version 460
// Copies rays in the order of links, so that those of a cell lie side by side: whole, or packed.

layout(local_size_x = 64) in;

#include "invocation.glsl"

uniform Params {
    uvec3 dims;
    uint room; // for links
} params;

#include "rays.glsl"
#include "packed.glsl"

layout(constant_id = 0) const uint packs = 0u;

readonly buffer LinkCount { uint word; } link_count;
readonly buffer LinkKeys { uint values[]; } link_keys;
readonly buffer LinkRays { uint values[]; } link_rays;
writeonly buffer LinkCopies { uvec4 quads[]; } link_copies;
writeonly buffer LinkPacked { uint words[]; } link_packed;

void main() {
    uint i = invocation_index();
    if (i >= min(link_count.word, params.room)) return;
    Ray ray = fetch_ray(link_rays.values[i]);
    if (packs == 0u) {
        link_copies.quads[2u * i] =
            uvec4(floatBitsToUint(ray.origin), floatBitsToUint(ray.t_max));
        link_copies.quads[2u * i + 1u] = uvec4(floatBitsToUint(ray.direction), ray.leaves);
        return;
    }
    GridRay in_grid = grid_ray(ray);
    vec3 low = vec3(cell_of(link_keys.values[i], params.dims));
    float s = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        if (in_grid.direction[axis] == 0.0) continue;
        float face = in_grid.direction[axis] > 0.0 ? low[axis] : low[axis] + 1.0;
        s = max(s, (face - in_grid.origin[axis]) / in_grid.direction[axis]);
    }
    uvec3 words = pack_ray(
        PackedRay(in_grid.origin + s * in_grid.direction - low, in_grid.direction));
    for (uint k = 0u; k < 3u; ++k) link_packed.words[3u * i + k] = words[k];
}
