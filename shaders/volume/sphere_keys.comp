#version 460
// How near to the eye each sphere begins; what is no sphere of a medium comes last and is counted.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Balls { vec4 values[]; } balls;
readonly buffer Optics { vec4 values[]; } optics;
writeonly buffer Keys { float values[]; } keys;
#include "status.glsl"

layout(constant_id = 0) const uint kByMiddle = 0u; // 1: the distance of the centre instead

uniform Params {
    vec3 eye;
    uint spheres;
} params;

bool are_numbers(vec4 v) {
    return all(lessThan(floatBitsToUint(v) & 0x7fffffffu, uvec4(0x7f800000u)));
}

bool is_medium(uint i) {
    vec4 extinction = optics.values[3u * i];
    vec4 emission = optics.values[3u * i + 1u];
    vec4 scatter = optics.values[3u * i + 2u];
    if (!are_numbers(extinction) || !are_numbers(emission) || !are_numbers(scatter)) return false;
    return all(greaterThanEqual(extinction.rgb, vec3(0.0))) &&
           all(greaterThanEqual(emission.rgb, vec3(0.0))) &&
           all(greaterThanEqual(scatter.rgb, vec3(0.0)));
}

void main() {
    uint i = invocation_index();
    if (i >= params.spheres) return;
    vec4 ball = balls.values[i];
    float key = uintBitsToFloat(0x7f800000u);
    if (are_numbers(ball) && ball.w > 0.0 && is_medium(i)) {
        float away = length(ball.xyz - params.eye);
        key = kByMiddle != 0u ? away : away - ball.w;
    }
    if ((floatBitsToUint(key) & 0x7fffffffu) >= 0x7f800000u) {
        key = uintBitsToFloat(0x7f800000u);
        atomicAdd(status.dropped_spheres, 1u);
    }
    keys.values[i] = key;
}
