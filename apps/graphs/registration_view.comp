#version 460
// A slice of two volumes, one over the other: the first in red, the second in green and blue. Where they
// are alike the picture is grey.
layout(local_size_x = 8, local_size_y = 8) in;

readonly buffer Straight { float values[]; } straight; //! doc in red
readonly buffer Other { float values[]; } other;       //! doc in green and blue
layout(rgba8) writeonly uniform image2D result;

uniform Params {
    uvec3 size; //! doc voxels along x, y and z
    uint slice; //! doc along z
} params;

void main() {
    uvec2 texel = gl_GlobalInvocationID.xy;
    uvec2 picture = uvec2(imageSize(result));
    if (any(greaterThanEqual(texel, picture))) return;
    uvec2 voxel = texel * params.size.xy / picture;
    uint at = (min(params.slice, params.size.z - 1u) * params.size.y + voxel.y) * params.size.x + voxel.x;
    vec3 color = vec3(straight.values[at], vec2(other.values[at]));
    imageStore(result, ivec2(texel), vec4(clamp(color, 0.0, 1.0), 1.0));
}
