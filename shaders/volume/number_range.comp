#version 460
// The least and the greatest number of a volume, of its bricks'. One group.

layout(local_size_x = 256) in;

uniform Params { uint bricks; } params;

readonly buffer Ranges { vec2 values[]; } ranges;
writeonly buffer Range { float values[]; } range; // both 0 where there is no number

shared vec2 found[gl_WorkGroupSize.x];

void main() {
    // Infinities are numbers, but histograms end before them.
    const float kGreatest = 3.402823466e38;
    vec2 own = vec2(kGreatest, -kGreatest);
    for (uint i = gl_LocalInvocationID.x; i < params.bricks; i += gl_WorkGroupSize.x) {
        vec2 here = ranges.values[i];
        if (here.x <= here.y)
            own = vec2(min(own.x, max(here.x, -kGreatest)), max(own.y, min(here.y, kGreatest)));
    }
    found[gl_LocalInvocationID.x] = own;
    for (uint half_size = gl_WorkGroupSize.x / 2u; half_size > 0u; half_size /= 2u) {
        barrier();
        if (gl_LocalInvocationID.x >= half_size) continue;
        vec2 other = found[gl_LocalInvocationID.x + half_size];
        own = vec2(min(own.x, other.x), max(own.y, other.y));
        found[gl_LocalInvocationID.x] = own;
    }
    if (gl_LocalInvocationID.x > 0u) return;
    if (own.x > own.y) own = vec2(0.0);
    range.values[0] = own.x;
    range.values[1] = own.y;
}
