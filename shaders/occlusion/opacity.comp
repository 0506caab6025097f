#version 460
// The opacity of each texel of a volume under a transfer function.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "transfer_points.glsl"
#include "volume_texels.glsl"
#include "opacities.glsl"

uniform Params {
    ivec3 dims;
    TransferPoints points;
} params;

writeonly uniform image3D result;

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, params.dims))) return;
    float number = fetch(texel);
    float opacity = is_number(number) ? transfer_at(params.points, number).a : 0.0;
    imageStore(result, texel, vec4(kept(opacity_of(opacity))));
}
