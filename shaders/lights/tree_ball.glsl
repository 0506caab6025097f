// A ball about the balls of 32 invocations that follow one another. Groups have 256 invocations, all
// of which take part.
#ifndef LIGHTS_TREE_BALL
#define LIGHTS_TREE_BALL

shared vec3 ball_lows[256];
shared vec3 ball_highs[256];
shared float ball_reaches[256];

// Those of negative radius are left out; the result has one if all are.
vec4 ball_about_32(vec4 ball) {
    uint lane = gl_LocalInvocationID.x;
    bool there = ball.w > 0.0;
    ball_lows[lane] = there ? ball.xyz : vec3(3.4e38);
    ball_highs[lane] = there ? ball.xyz : vec3(-3.4e38);
    for (uint reach = 16u; reach > 0u; reach >>= 1u) {
        barrier();
        if (lane % 32u < reach) {
            ball_lows[lane] = min(ball_lows[lane], ball_lows[lane + reach]);
            ball_highs[lane] = max(ball_highs[lane], ball_highs[lane + reach]);
        }
    }
    barrier();
    uint first = lane & ~31u;
    vec3 low = ball_lows[first];
    vec3 high = ball_highs[first];
    vec3 middle = 0.5 * low + 0.5 * high;
    const float kRounding = 1e-6;
    float room = kRounding * (length(low) + length(high));
    ball_reaches[lane] = there ? distance(middle, ball.xyz) + ball.w + room : -1.0;
    for (uint reach = 16u; reach > 0u; reach >>= 1u) {
        barrier();
        if (lane % 32u < reach)
            ball_reaches[lane] = max(ball_reaches[lane], ball_reaches[lane + reach]);
    }
    barrier();
    float radius = ball_reaches[first];
    return radius > 0.0 ? vec4(middle, radius * (1.0 + kRounding)) : vec4(0.0, 0.0, 0.0, -1.0);
}

#endif
