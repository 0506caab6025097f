#version 460
// A trajectory from above. A group keeps a part of the lines at a time in shared memory.
#include "trajectory_status.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

readonly buffer Positions { vec4 values[]; } positions;
readonly buffer TruePositions { vec4 values[]; } true_positions;
layout(constant_id = 0) const uint has_true_positions = 0;
readonly buffer OtherPositions { vec4 values[]; } other_positions;
layout(constant_id = 1) const uint has_other_positions = 0;
readonly buffer Status { TrajectoryStatus words[]; } status;
writeonly uniform image2D result;

uniform Params {
    vec2 size; // texels
    vec2 low;
    vec2 high;
    float line; // texels
    uint room;
} params;

const uint kTracked = 0u; // whose positions they are
const uint kTrue = 1u;
const uint kOther = 2u;
const uint kPart = 256u;
shared vec3 points[kPart + 1u]; // texels, and whether there is one

vec3 texel_of(vec4 position) {
    return vec3((position.xz - params.low) / (params.high - params.low) * params.size, position.w);
}

float distance_to(vec2 p, vec2 a, vec2 b) {
    vec2 ab = b - a;
    float share = clamp(dot(p - a, ab) / max(dot(ab, ab), 1e-12), 0.0, 1.0);
    return distance(p, a + share * ab);
}

float coverage(float away) {
    return clamp(0.5 * params.line + 0.5 - away, 0.0, 1.0);
}

vec4 position_of(uint whose, uint at) {
    if (whose == kTracked) return positions.values[at];
    if (whose == kTrue && has_true_positions != 0u) return true_positions.values[at];
    if (whose == kOther && has_other_positions != 0u) return other_positions.values[at];
    return vec4(0.0);
}

// Coverage of the texel at `p` by the lines of one of the trajectories.
float covered_by(vec2 p, uint count, uint whose) {
    float nearest = 1e9;
    for (uint first = 0u; first < count; first += kPart) {
        barrier();
        for (uint i = gl_LocalInvocationIndex; i <= kPart; i += 256u) {
            points[i] = texel_of(position_of(whose, min(first + i, count - 1u)));
        }
        barrier();
        for (uint i = 0u; i < min(kPart, count - first); ++i)
            if (points[i].z > 0.0 && points[i + 1u].z > 0.0)
                nearest = min(nearest, distance_to(p, points[i].xy, points[i + 1u].xy));
    }
    return coverage(nearest);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    vec2 p = vec2(texel) + 0.5;
    uint count = min(status.words[0].frames, params.room);
    const vec3 kGround = vec3(0.09, 0.1, 0.12);
    const vec3 kGrid = vec3(0.17, 0.18, 0.21);
    vec3 shown = kGround;
    vec2 world = params.low + p / params.size * (params.high - params.low);
    vec2 metre = params.size / (params.high - params.low);
    vec2 from_line = abs(fract(world + 0.5) - 0.5) * metre;
    if (min(from_line.x, from_line.y) < 0.5) shown = kGrid;
    shown = mix(shown, vec3(0.55, 0.58, 0.62), covered_by(p, count, kTrue));
    shown = mix(shown, vec3(0.25, 0.6, 1.0), covered_by(p, count, kOther));
    shown = mix(shown, vec3(1.0, 0.55, 0.12), covered_by(p, count, kTracked));
    if (count > 0u) {
        vec4 last = positions.values[count - 1u];
        uint seen = count - 1u;
        while (last.w == 0.0 && seen > 0u) last = positions.values[--seen];
        if (last.w > 0.0) {
            vec2 cross_at = abs(p - texel_of(last).xy);
            bool on = min(cross_at.x, cross_at.y) < 0.5 * params.line && max(cross_at.x, cross_at.y) < 4.0 * params.line;
            if (on) shown = seen == count - 1u ? vec3(1.0) : vec3(1.0, 0.1, 0.1);
        }
    }
    if (all(lessThan(vec2(texel), params.size))) imageStore(result, texel, vec4(shown, 1.0));
}
