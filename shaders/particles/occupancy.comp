#version 460
// How many particles are in each row of cells, as a number and as a square of colour.

layout(local_size_x = 8, local_size_y = 8) in;

readonly buffer Ranges { uvec2 values[]; } ranges;
uniform writeonly image2D counts;
uniform writeonly image2D result;

uniform Params {
    uvec3 cells;   // to the right, up, away
    uvec3 strides; // of these
    uint scale;    // texels
    float full;    // particles of a cell
} params;

// Of a share from 0 to 1.
vec3 heat(float share) {
    const vec3 kColors[5] = vec3[5](vec3(0.0), vec3(0.02, 0.04, 0.4), vec3(0.65, 0.03, 0.1),
                                    vec3(1.0, 0.65, 0.02), vec3(1.0));
    float along = clamp(share, 0.0, 1.0) * 4.0;
    int first = min(int(along), 3);
    return mix(kColors[first], kColors[first + 1], along - float(first));
}

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, params.cells.xy))) return;
    uint row = at.x * params.strides.x + (params.cells.y - 1u - at.y) * params.strides.y;
    uint all_of = 0u;
    for (uint away = 0u; away < params.cells.z; ++away) {
        uvec2 range = ranges.values[row + away * params.strides.z];
        all_of += range.y - range.x;
    }
    imageStore(counts, ivec2(at), vec4(float(all_of), 0.0, 0.0, 1.0));
    vec4 color = vec4(heat(float(all_of) / (params.full * float(params.cells.z))), 1.0);
    for (uint y = 0u; y < params.scale; ++y)
        for (uint x = 0u; x < params.scale; ++x)
            imageStore(result, ivec2(at * params.scale + uvec2(x, y)), color);
}
