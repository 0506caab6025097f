#version 460
// The next level of the least and greatest values of parts of a picture: of 2 x 2 of the one below,
// and where that ends less. Level m has ceil(size / 2^m) elements a side.

layout(local_size_x = 16, local_size_y = 16) in;

buffer Ranges { vec2 values[]; } ranges;

uniform Params {
    uint below; // first element of the level below
    uint first; // of this one
    uvec2 size; // of the level below
} params;

void main() {
    uvec2 size = (params.size + 1u) / 2u;
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, size))) return;
    uvec2 last = params.size - 1u;
    vec2 found = ranges.values[params.below + 2u * at.y * params.size.x + 2u * at.x];
    for (uint i = 1u; i < 4u; ++i) {
        uvec2 from = min(2u * at + uvec2(i & 1u, i >> 1u), last);
        vec2 other = ranges.values[params.below + from.y * params.size.x + from.x];
        found = vec2(min(found.x, other.x), max(found.y, other.y));
    }
    ranges.values[params.first + at.y * size.x + at.x] = found;
}
