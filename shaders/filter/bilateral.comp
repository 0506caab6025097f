#version 460
// The bilateral filter, weight by weight. TILED: a group makes tile_x * tile_y results of a slice. It
// loads the tile of each slice of the source that they meet into shared memory, remapped by the border;
// an invocation makes four results, so that a spatial weight is read once for four of them.
//! variants TILED=0,1

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "indices.glsl"

layout(constant_id = 0) const uint border = 0u;
#if TILED
layout(constant_id = 1) const uint tile_x = 32u;
layout(constant_id = 2) const uint tile_y = 32u;
layout(constant_id = 3) const uint loaded_count = 1024u; // numbers of a tile of the source
#endif

readonly buffer Source { float values[]; } source;
readonly buffer Kernel { float values[]; } kernel;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uvec4 size;
    uvec4 result_size;
    uvec4 kernel_size;
    uvec4 before;  // places before a result's own at which its neighbourhood begins
    uvec2 tiles;   // of a slice of results
    uint count;    // results, or groups
    float falloff; // the weight of a difference d is exp2(-(d falloff)^2)
} params;

// Compilers may take it for granted that isnan and isinf are false.
bool is_finite(float number) {
    return (floatBitsToUint(number) & 0x7f800000u) != 0x7f800000u;
}

// Weighted numbers and weights; a number that is not finite has none.
void add(inout vec2 sum, float number, float centre, float weight) {
    float apart = (number - centre) * params.falloff;
    float w = weight * exp2(-apart * apart);
    if (is_finite(number)) sum += w * vec2(number, 1.0);
}

float averaged(vec2 sum, float centre) {
    return is_finite(centre) && sum.y > 0.0 ? sum.x / sum.y : centre;
}

// The kernel is turned: its last weight meets the first number.
uint weight_of(uvec4 tap) {
    return count_of(params.kernel_size) - 1u - index_of(tap, params.kernel_size);
}

#if TILED
const uint kResults = 4u;
shared float tile[loaded_count];

// Of slice (z, w); kNowhere stands for zeros.
void load_tile(ivec2 corner, uint z, uint w, uint array) {
    uint width = tile_x + params.kernel_size.x - 1u;
    uvec4 size = params.size;
    bool nowhere = z == kNowhere || w == kNowhere;
    for (uint i = gl_LocalInvocationIndex; i < loaded_count; i += gl_WorkGroupSize.x) {
        uint x = place_read(border, corner.x + int(i % width), size.x);
        uint y = place_read(border, corner.y + int(i / width), size.y);
        bool zero = nowhere || x == kNowhere || y == kNowhere;
        tile[i] =
            zero ? 0.0 : source.values[array * count_of(size) + index_of(uvec4(x, y, z, w), size)];
    }
}

void add_tile(uint z, uint w, float centres[kResults], inout vec2 sums[kResults]) {
    uint width = tile_x + params.kernel_size.x - 1u;
    uint x = gl_LocalInvocationIndex % tile_x;
    uint y = gl_LocalInvocationIndex / tile_x;
    uint rows = gl_WorkGroupSize.x / tile_x; // between results; none where a tile is wider
    uint columns = rows == 0u ? gl_WorkGroupSize.x : 0u;
    uint apart = rows * width + columns;
    // Rows are summed by themselves: a sum of thousands loses what small weights add.
    for (uint ky = 0u; ky < params.kernel_size.y; ++ky) {
        vec2 row[kResults];
        for (uint r = 0u; r < kResults; ++r)
            row[r] = vec2(0.0);
        for (uint kx = 0u; kx < params.kernel_size.x; ++kx) {
            float weight = kernel.values[weight_of(uvec4(kx, ky, z, w))];
            uint at = (y + ky) * width + x + kx;
            for (uint r = 0u; r < kResults; ++r)
                add(row[r], tile[at + r * apart], centres[r], weight);
        }
        for (uint r = 0u; r < kResults; ++r)
            sums[r] += row[r];
    }
}

void main() {
    uint group = group_index();
    if (group >= params.count) return;
    uvec4 size = params.result_size;
    uvec4 corner = uvec4(group % params.tiles.x * tile_x, 0u, 0u, 0u);
    group /= params.tiles.x;
    corner.y = group % params.tiles.y * tile_y;
    group /= params.tiles.y;
    corner.z = group % size.z;
    group /= size.z;
    corner.w = group % size.w;
    uint array = group / size.w;

    uvec4 places[kResults];
    float centres[kResults];
    vec2 sums[kResults];
    for (uint r = 0u; r < kResults; ++r) {
        uint i = gl_LocalInvocationIndex + r * gl_WorkGroupSize.x;
        places[r] = corner + uvec4(i % tile_x, i / tile_x, 0u, 0u);
        uvec4 middle = places[r] + params.kernel_size / 2u - params.before;
        bool exists = all(lessThan(places[r].xy, size.xy));
        centres[r] = exists ? source.values[array * count_of(params.size) +
                                            index_of(middle, params.size)]
                            : 0.0;
        sums[r] = vec2(0.0);
    }

    ivec4 first = ivec4(corner) - ivec4(params.before);
    for (uint w = 0u; w < params.kernel_size.w; ++w)
        for (uint z = 0u; z < params.kernel_size.z; ++z) {
            barrier(); // the tile before was read
            load_tile(first.xy, place_read(border, first.z + int(z), params.size.z),
                      place_read(border, first.w + int(w), params.size.w), array);
            barrier();
            add_tile(z, w, centres, sums);
        }
    for (uint r = 0u; r < kResults; ++r)
        if (all(lessThan(places[r].xy, size.xy)))
            result.values[array * count_of(size) + index_of(places[r], size)] =
                averaged(sums[r], centres[r]);
}
#else
void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uint results = count_of(params.result_size);
    uint first = index / results * count_of(params.size);
    uvec4 place = place_of(index % results, params.result_size);
    ivec4 corner = ivec4(place) - ivec4(params.before);
    uvec4 middle = place + params.kernel_size / 2u - params.before;
    float centre = source.values[first + index_of(middle, params.size)];
    vec2 sum = vec2(0.0);
    uint rows = params.kernel_size.y * params.kernel_size.z * params.kernel_size.w;
    for (uint row = 0u; row < rows; ++row) {
        vec2 row_sum = vec2(0.0); // a sum of thousands loses what small weights add
        for (uint x = 0u; x < params.kernel_size.x; ++x) {
            uvec4 offset = place_of(row * params.kernel_size.x + x, params.kernel_size);
            uint at = index_read(border, corner + ivec4(offset), params.size);
            float number = at == kNowhere ? 0.0 : source.values[first + at];
            add(row_sum, number, centre, kernel.values[weight_of(offset)]);
        }
        sum += row_sum;
    }
    result.values[index] = averaged(sum, centre);
}
#endif
