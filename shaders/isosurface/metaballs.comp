#version 460
// The sum of balls at each texel. A group looks at 256 balls at a time, and at those alone that reach
// its texels; they are added in their order, so that the sum is the same in every run.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

uniform Params {
    ivec3 dims;
    uint ball_count;
    vec3 origin; // of the first texel's middle
    float weight;
    vec3 spacing;
} params;

readonly buffer Balls { vec4 values[]; } balls; // middle and reach
writeonly uniform image3D field;

const uint kGroup = 256u;

shared vec4 some_balls[kGroup];
shared uint reaching[kGroup / 32u];

bool reaches(vec4 ball, vec3 low, vec3 high) {
    vec3 apart = ball.xyz - clamp(ball.xyz, low, high);
    return ball.w > 0.0 && dot(apart, apart) < ball.w * ball.w;
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    vec3 place = params.origin + params.spacing * vec3(texel);
    vec3 low = params.origin + params.spacing * vec3(gl_WorkGroupID * gl_WorkGroupSize);
    vec3 high = low + params.spacing * vec3(gl_WorkGroupSize - 1u);
    float sum = 0.0;
    for (uint first = 0u; first < params.ball_count; first += kGroup) {
        if (lane < kGroup / 32u) reaching[lane] = 0u;
        barrier();
        if (first + lane < params.ball_count) {
            vec4 ball = balls.values[first + lane];
            some_balls[lane] = ball;
            if (reaches(ball, low, high)) atomicOr(reaching[lane >> 5], 1u << (lane & 31u));
        }
        barrier();
        for (uint word = 0u; word < kGroup / 32u; ++word)
            for (uint left = reaching[word]; left != 0u; left &= left - 1u) {
                vec4 ball = some_balls[32u * word + uint(findLSB(left))];
                vec3 apart = place - ball.xyz;
                float rest = max(1.0 - dot(apart, apart) / (ball.w * ball.w), 0.0);
                sum += rest * rest * rest;
            }
        barrier();
    }
    if (all(lessThan(texel, params.dims)))
        imageStore(field, texel, vec4(params.weight * sum, 0.0, 0.0, 0.0));
}
