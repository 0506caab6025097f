#version 460
// Sums of the squared differences of two pictures, one for each square of 16 x 16 texels.

layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = 0) const uint channels = 3u;

uniform sampler2D a;
uniform sampler2D b;
writeonly buffer Sums { float values[]; } sums;

shared float partial[256];

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    uint own = gl_LocalInvocationIndex;
    float sum = 0.0;
    if (all(lessThan(texel, textureSize(a, 0)))) {
        vec3 difference = texelFetch(a, texel, 0).rgb - texelFetch(b, texel, 0).rgb;
        for (uint c = 0u; c < channels; ++c) sum += difference[c] * difference[c];
    }
    partial[own] = sum;
    barrier();
    for (uint step = 128u; step > 0u; step /= 2u) {
        if (own < step) partial[own] += partial[own + step];
        barrier();
    }
    if (own == 0u) sums.values[gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x] = partial[0];
}
