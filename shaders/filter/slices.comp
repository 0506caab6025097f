#version 460
// Slices of a volume over time, side by side: a row for each time, a column for each z.

layout(local_size_x = 16, local_size_y = 16) in;

readonly buffer Source { float values[]; } source;
readonly buffer Columns { uint z[]; } columns;
readonly buffer Rows { uint w[]; } rows;
uniform writeonly image2D result;

uniform Params {
    uvec4 size;
    uint gap; // texels between slices
    float low;
    float high;
} params;

void main() {
    uvec2 texel = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(texel, uvec2(imageSize(result))))) return;
    uvec2 pitch = params.size.xy + params.gap;
    uvec2 cell = texel / pitch;
    uvec2 place = texel % pitch;
    float shade = 0.0;
    if (all(lessThan(place, params.size.xy))) {
        uint slice = rows.w[cell.y] * params.size.z + columns.z[cell.x];
        float value = source.values[(slice * params.size.y + place.y) * params.size.x + place.x];
        shade = clamp((value - params.low) / (params.high - params.low), 0.0, 1.0);
    }
    imageStore(result, ivec2(texel), vec4(vec3(shade), 1.0));
}
