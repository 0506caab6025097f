#version 460
// Makes a volume of texels of means in blocks of packed.glsl.

layout(local_size_x = 256) in;

#include "packed_tiles.glsl"

uniform Params {
    ivec3 dims; // texels
    int blocks; // of a row
} params;

readonly buffer Source { uvec4 values[]; } source;
writeonly uniform image3D result;

shared uvec4 tile[kTileLanes];

void main() {
    int lane = int(gl_LocalInvocationID.x);
    int z = int(gl_WorkGroupID.z);
    ivec2 first = ivec2(gl_WorkGroupID.xy) * ivec2(kTileBlocks, kTileRows);
    ivec2 place = first + ivec2(lane % kTileBlocks, lane / kTileBlocks);
    if (place.x < params.blocks && place.y < params.dims.y)
        tile[lane] = source.values[(z * params.dims.y + place.y) * params.blocks + place.x];
    barrier();
    for (int turn = 0; turn < kBlock; ++turn) {
        ivec2 texel = tile_texel(lane, turn);
        ivec3 at = ivec3(first * ivec2(kBlock, 1) + texel, z);
        if (at.x < params.dims.x && at.y < params.dims.y)
            imageStore(result, at, vec4(number_of(tile[tile_block(texel)], texel.x)));
    }
}
