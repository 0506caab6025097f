#version 460
// How many fragments each pixel has.

layout(local_size_x = 16, local_size_y = 16) in;

uniform Params {
    uvec2 size;
    uint capacity;
} params;

#include "lists.glsl"
#include "statistics.glsl"

buffer Histogram { uint values[]; } histogram;
writeonly buffer Lengths { uint values[]; } lengths;

shared uint counts[kLengths];

void main() {
    for (uint i = gl_LocalInvocationIndex; i < kLengths; i += 256u) counts[i] = 0u;
    barrier();
    if (all(lessThan(gl_GlobalInvocationID.xy, params.size))) {
        uint pixel = gl_GlobalInvocationID.y * params.size.x + gl_GlobalInvocationID.x;
        uint count = 0u;
        for (Cursor c = first_fragment(pixel, params.capacity); !is_at_end(c); advance(c)) ++count;
        lengths.values[pixel] = count;
        atomicAdd(counts[min(count, kLengths - 1u)], 1u);
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < kLengths; i += 256u)
        if (counts[i] > 0u) atomicAdd(histogram.values[i], counts[i]);
}
