#version 460
//! variants BRICKS=0
// A dense TSDF as a field of distances for isosurfaces, and which cells between eight voxels all are known.
#include "tsdf.glsl"

layout(local_size_x = 32, local_size_y = 4, local_size_z = 1) in;

writeonly uniform image3D field;
writeonly uniform uimage3D known;

uniform Params {
    uvec3 dims;
    float truncation;
    float least_weight;
} params;

void main() {
    uvec3 at = gl_GlobalInvocationID;
    if (any(greaterThanEqual(at, params.dims))) return;
    vec2 own = unpackHalf2x16(voxel_at(params.dims, at).x);
    imageStore(field, ivec3(at), vec4(own.y > 0.0 ? own.x * params.truncation : params.truncation));
    if (any(greaterThanEqual(at + 1u, params.dims))) return;
    uint all_known = 1u;
    for (uint corner = 0u; corner < 8u; ++corner) {
        uvec3 place = at + uvec3(corner & 1u, corner >> 1u & 1u, corner >> 2u);
        vec2 one = unpackHalf2x16(voxel_at(params.dims, place).x);
        if (one.y < params.least_weight || one.y == 0.0) all_known = 0u;
    }
    imageStore(known, ivec3(at), uvec4(all_known));
}
