#version 460
// Weights as matrix units take them: 16 bits each, 16 kernels side by side, in the order of the window.
// Each kernel is scaled by a power of two so that its greatest weight lies from 1 to 2: 16 bits have
// few digits for small numbers. A group makes two kernels, whose weights share words.

layout(local_size_x = 256) in;
#include "invocation.glsl"

readonly buffer Kernel { float values[]; } kernel;
writeonly buffer Result { uint words[]; } result;
writeonly buffer Scales { float values[]; } scales; // that products are multiplied by

uniform Params {
    uint pairs;   // of kernels, those that fill up the last 16 too
    uint filters;
    uint taps;
    uint lines;   // weights of a kernel in the result: zeros follow
    uint turned;
} params;

const uint kGroup = 256u;
const uint kPairsOfLine = 8u; // of 16 kernels
shared vec2 greatest[kGroup];

float weight_at(uint which, uint tap) {
    if (which >= params.filters || tap >= params.taps) return 0.0;
    return kernel.values[which * params.taps + (params.turned != 0u ? params.taps - 1u - tap : tap)];
}
vec2 weights_at(uint pair, uint tap) {
    return vec2(weight_at(2u * pair, tap), weight_at(2u * pair + 1u, tap));
}

// The exponent of a number; 0 of those that have none worth a scale.
int exponent_of(float number) {
    int exponent = int(floatBitsToUint(number) >> 23u & 255u);
    return exponent == 0 || exponent == 255 ? 0 : exponent - 127;
}

void main() {
    uint pair = group_index();
    if (pair >= params.pairs) return; // the whole group
    uint own = gl_LocalInvocationIndex;
    vec2 most = vec2(0.0);
    for (uint tap = own; tap < params.taps; tap += kGroup)
        most = max(most, abs(weights_at(pair, tap)));
    greatest[own] = most;
    barrier();
    for (uint stride = kGroup / 2u; stride > 0u; stride /= 2u) {
        if (own < stride) greatest[own] = max(greatest[own], greatest[own + stride]);
        barrier();
    }
    ivec2 exponent = ivec2(exponent_of(greatest[0].x), exponent_of(greatest[0].y));
    for (uint tap = own; tap < params.lines; tap += kGroup) {
        vec2 weights = ldexp(weights_at(pair, tap), -exponent);
        uint line = pair / kPairsOfLine * params.lines + tap;
        result.words[line * kPairsOfLine + pair % kPairsOfLine] = packHalf2x16(weights);
    }
    if (own < 2u && 2u * pair + own < params.filters)
        scales.values[2u * pair + own] = ldexp(1.0, own == 0u ? exponent.x : exponent.y);
}
