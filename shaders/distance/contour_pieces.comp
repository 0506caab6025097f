#version 460
// Where the contour of an antialiased shape runs through each texel: a straight line, by the coverage
// and its gradient. Source: Gustavson and Strand, "Anti-aliased Euclidean distance transform",
// Pattern Recognition Letters 32, 2011.

layout(local_size_x = 16, local_size_y = 16) in;

#include "contour.glsl"
#include "status.glsl"

uniform sampler2D source;
uniform writeonly uimage2D seed; // 1: the contour runs through the texel
// Unit normal of the line, out of the object, 0 where the gradient does not tell; the middle's distance
// from it, positive where the middle is outside; the coverage.
uniform writeonly image2D pieces;

uniform Params {
    uint invert; // 1: objects are background
} params;

shared uint group_objects;
shared uint group_background;
shared uint group_not_finite;

// By the bits, as compilers may take comparisons of what is not a number for anything.
bool is_finite(float value) {
    return (floatBitsToUint(value) & 0x7fffffffu) < 0x7f800000u;
}

bool is_number(float value) {
    return (floatBitsToUint(value) & 0x7fffffffu) <= 0x7f800000u;
}

// Beyond the border as on it. What is not a number is background, inverted or not, as in seed.comp.
float coverage(ivec2 texel) {
    float value = texelFetch(source, clamp(texel, ivec2(0), textureSize(source, 0) - 1), 0).r;
    if (!is_number(value)) return 0.0;
    float covered = clamp(value, 0.0, 1.0);
    return params.invert != 0u ? 1.0 - covered : covered;
}

void count(float covered, bool finite) {
    if (!finite) atomicAdd(group_not_finite, 1u);
    if (covered > 0.5) atomicAdd(group_objects, 1u);
    else atomicAdd(group_background, 1u);
}

void find_piece(ivec2 texel) {
    float around[9];
    for (int i = 0; i < 9; ++i)
        around[i] = coverage(texel + ivec2(i % 3, i / 3) - 1);
    float covered = around[4];
    count(covered, is_finite(texelFetch(source, texel, 0).r));

    float least = min(min(around[1], around[3]), min(around[5], around[7]));
    bool has_piece = covered > 0.0 && (covered < 1.0 || least == 0.0);
    const float kRoot = 1.41421356; // weighs the nearer neighbours, as the paper does
    vec2 gradient = vec2(around[2] + kRoot * around[5] + around[8] - around[0] - kRoot * around[3] -
                             around[6],
                         around[6] + kRoot * around[7] + around[8] - around[0] - kRoot * around[1] -
                             around[2]);
    float slope = length(gradient);
    vec2 normal = slope > 1e-4 ? -gradient / slope : vec2(0.0);
    bool has_line = has_piece && slope > 1e-4;
    imageStore(seed, texel, uvec4(has_piece ? 1u : 0u));
    imageStore(pieces, texel,
               vec4(normal, has_line ? line_distance(normal, covered) : 0.0, covered));
}

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        group_objects = 0u;
        group_background = 0u;
        group_not_finite = 0u;
    }
    barrier();
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(texel, imageSize(seed)))) find_piece(texel);
    barrier();

    if (gl_LocalInvocationIndex != 0u) return;
    if (group_objects != 0u) atomicAdd(status.objects, group_objects);
    if (group_background != 0u) atomicAdd(status.background, group_background);
    if (group_not_finite != 0u) atomicAdd(status.not_finite, group_not_finite);
}
