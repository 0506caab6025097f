#version 460
//! variants FIRST=0,1
// The least and greatest displacements of the squares between four texels of a map (FIRST), or of four
// parts of the level before. FIRST also stores the texels, with zeros for those that are not finite,
// and counts these.

layout(local_size_x = 16, local_size_y = 16) in;

#include "patch.glsl"

uniform Params {
    uvec2 size; // of the level
    int level;
} params;

#if FIRST
buffer Status { uint not_finite; } status; // texels
uniform sampler2D source;
writeonly buffer Stored { vec4 values[]; } stored_texels;
writeonly buffer Bounds { uvec4 values[]; } bounds;
#else
buffer Bounds { uvec4 values[]; } bounds;
#endif

vec3 least = vec3(3.4e38);
vec3 most = vec3(-3.4e38);

#if FIRST
void take(ivec2 at) {
    ivec2 last = ivec2(map_width, map_height) - 1;
    ivec2 texel = min(at, last);
    vec3 value = texelFetch(source, texel, 0).xyz;
    if (along_normal != 0u) value = vec3(value.x, 0.0, 0.0);
    bool finite = is_number(value);
    value = finite ? value : vec3(0.0);
    least = min(least, value);
    most = max(most, value);
    // One of the squares that a texel is a corner of stores it.
    if (min(at, ivec2(params.size) - 1) != ivec2(gl_GlobalInvocationID.xy) || at != texel) return;
    stored_texels.values[uint(at.y) * map_width + uint(at.x)] = vec4(value, 0.0);
    if (!finite) atomicAdd(status.not_finite, 1u);
}
#else
void take(ivec2 at) {
    int below = params.level - 1;
    uvec4 part = bounds.values[part_number(min(at, last_part(below)), below)];
    least = min(least, least_of(part));
    most = max(most, most_of(part));
}
#endif

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(at), params.size))) return;
    ivec2 from = FIRST == 1 ? at : 2 * at;
    take(from);
    take(from + ivec2(1, 0));
    take(from + ivec2(0, 1));
    take(from + ivec2(1, 1));
    bounds.values[part_number(at, params.level)] = packed_bounds(least, most);
}
