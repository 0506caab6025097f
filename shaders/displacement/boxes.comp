#version 460
// The box of each patch, and a triangle with the same box, of which bvh/lbvh_build makes a
// hierarchy. A group a patch.

layout(local_size_x = 128) in;

#include "patch.glsl"
#include "bvh/box_triangle.glsl"
#include "invocation.glsl"

readonly buffer Bounds { uvec4 values[]; } bounds;
writeonly buffer Boxes { vec4 values[]; } boxes; // low and high corner
writeonly buffer Positions { float values[]; } positions;
writeonly buffer Indices { uint values[]; } indices;

layout(constant_id = 0) const uint loose = 0u; // 1: the quad's box, larger by what the map may move

uniform Params {
    uint count;
    uint level; // the finest
    float scale;
} params;

shared vec3 lows[128];
shared vec3 highs[128];

const float kHuge = 3.4e38;

void main() {
    uint patch_index = group_index();
    if (patch_index >= params.count) return;
    uint local = gl_LocalInvocationID.x;
    PatchRecord p = patches.elements[patch_index];
    vec3 low = vec3(kHuge);
    vec3 high = vec3(-kHuge);
    bool finite = true;
    if (loose != 0u) {
        uvec4 whole = bounds.values[0];
        vec3 least = least_of(whole) * params.scale;
        vec3 most = most_of(whole) * params.scale;
        if (along_normal != 0u) {
            most = vec3(max(abs(least.x), abs(most.x)));
            least = -most;
        }
        low = min(min(p.a, p.b), min(p.c, p.d)) + min(least, most);
        high = max(max(p.a, p.b), max(p.c, p.d)) + max(least, most);
        // Sums of the points round, too.
        vec3 slack = 1e-6 * max(abs(low), abs(high));
        low -= slack;
        high += slack;
        finite = is_number(low) && is_number(high);
    } else {
        uint side = (1u << params.level) + 1u;
        for (uint k = local; k < side * side; k += 128u) {
            vec3 place = grid_point(p, uvec2(k % side, k / side), params.level, params.scale);
            finite = finite && is_number(place);
            low = min(low, place);
            high = max(high, place);
        }
    }
    if (!finite) low.x = uintBitsToFloat(0x7fc00000u);
    lows[local] = low;
    highs[local] = high;
    for (uint span = 64u; span > 0u; span >>= 1u) {
        barrier();
        if (local < span) {
            bool is_bad = !is_number(lows[local]) || !is_number(lows[local + span]);
            lows[local] = min(lows[local], lows[local + span]);
            highs[local] = max(highs[local], highs[local + span]);
            if (is_bad) lows[local].x = uintBitsToFloat(0x7fc00000u);
        }
    }
    if (local != 0u) return;
    low = lows[0];
    high = highs[0];
    boxes.values[2u * patch_index] = vec4(low, 0.0);
    boxes.values[2u * patch_index + 1u] = vec4(high, 0.0);
    vec3 corners[3] = box_triangle(low, high);
    for (uint corner = 0u; corner < 3u; ++corner) {
        for (uint k = 0u; k < 3u; ++k)
            positions.values[9u * patch_index + 3u * corner + k] = corners[corner][k];
        indices.values[3u * patch_index + corner] = 3u * patch_index + corner;
    }
}
