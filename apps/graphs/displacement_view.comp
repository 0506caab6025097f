#version 460
// A slice of a field of displacements: the hue says where in the slice's plane a voxel is moved to (red:
// right, then yellow, green, ... against the clock), the brightness how far.
layout(local_size_x = 8, local_size_y = 8) in;

readonly buffer Field { float values[]; } field; //! doc along x of all voxels, then along y, then z
layout(rgba8) writeonly uniform image2D result;

uniform Params {
    uvec3 size;    //! doc voxels along x, y and z
    uint slice;    //! doc along z
    float longest; //! default 4, unit voxels, doc a displacement of full brightness
} params;

void main() {
    uvec2 texel = gl_GlobalInvocationID.xy;
    uvec2 picture = uvec2(imageSize(result));
    if (any(greaterThanEqual(texel, picture))) return;
    uvec2 voxel = texel * params.size.xy / picture;
    uint one = params.size.x * params.size.y * params.size.z;
    uint at = (min(params.slice, params.size.z - 1u) * params.size.y + voxel.y) * params.size.x + voxel.x;
    vec2 moved = vec2(field.values[at], -field.values[one + at]); // y goes up
    float hue = any(notEqual(moved, vec2(0.0))) ? atan(moved.y, moved.x) / 6.2831853 : 0.0;
    vec3 color = clamp(abs(fract(hue + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
    imageStore(result, ivec2(texel), vec4(color * min(length(moved) / params.longest, 1.0), 1.0));
}
