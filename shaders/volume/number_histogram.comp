#version 460
// How many texels of a volume lie in each part of the range of their numbers.

layout(local_size_x = 16, local_size_y = 16) in;

#include "volume_texels.glsl"

const uint kBins = 256u;
const uint kLayers = 16u; // of texels, for an invocation

uniform Params { ivec3 dims; } params;

readonly buffer Range { float values[]; } range;
buffer Counts { uint values[]; } counts;

shared uint found[kBins];

void main() {
    found[gl_LocalInvocationIndex] = 0u;
    barrier();
    float low = range.values[0];
    float scale = float(kBins) / max(range.values[1] - low, 1e-37);
    uvec2 at = gl_GlobalInvocationID.xy;
    uint first = gl_WorkGroupID.z * kLayers;
    if (all(lessThan(at, uvec2(params.dims.xy))))
        for (uint z = first; z < min(first + kLayers, uint(params.dims.z)); ++z) {
            float number = fetch(ivec3(at, z));
            if (!is_number(number) || isinf(number)) continue;
            atomicAdd(found[uint(clamp((number - low) * scale, 0.0, float(kBins - 1u)))], 1u);
        }
    barrier();
    uint count = found[gl_LocalInvocationIndex];
    if (count > 0u) atomicAdd(counts.values[gl_LocalInvocationIndex], count);
}
