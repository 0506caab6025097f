#version 460
//! variants PLACED=0,1
// Before a search: where the second mesh lies seen from the first, the lattice over both, and an
// empty status. The placements are parameters, or lie in a buffer: a position and a quaternion for
// each mesh, as whatever moves them writes them.

layout(local_size_x = 1) in;

#include "bvh/bvh.glsl"
#include "frame.glsl"
#include "status.glsl"

uniform Params {
    vec4 row_x; // from the second mesh to the first
    vec4 row_y;
    vec4 row_z;
    uint pair_room;
    uint room; // for candidates
    uint frontier_room;
} params;

readonly buffer StatusA { HierarchyStatus elements[]; } status_a;
readonly buffer StatusB { HierarchyStatus elements[]; } status_b;
#if PLACED
readonly buffer Placements { vec4 values[]; } placements;
#endif
writeonly buffer Frame { PairFrame elements[]; } frame;
writeonly buffer CollisionStatus { SearchStatus elements[]; } collision_status;

const float kFar = 3.402823466e38;
const float kMaxSteps = 4194304.0; // from the middle to the end of the longest side: 2^22

#if PLACED
// A column each for the axes.
mat3 rotation_of(vec4 q) {
    precise float size = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    precise vec4 two = q * (2.0 / size);
    precise vec3 x = vec3(1.0 - (q.y * two.y + q.z * two.z), q.x * two.y + q.w * two.z,
                          q.x * two.z - q.w * two.y);
    precise vec3 y = vec3(q.x * two.y - q.w * two.z, 1.0 - (q.x * two.x + q.z * two.z),
                          q.y * two.z + q.w * two.x);
    precise vec3 z = vec3(q.x * two.z + q.w * two.y, q.y * two.z - q.w * two.x,
                          1.0 - (q.x * two.x + q.y * two.y));
    return mat3(x, y, z);
}

float precise_dot(vec3 a, vec3 b) {
    precise float sum = (a.x * b.x + a.y * b.y) + a.z * b.z;
    return sum;
}

void relative_rows(out vec4 rows[3]) {
    mat3 a = rotation_of(placements.values[1]);
    mat3 b = rotation_of(placements.values[3]);
    precise vec3 apart = placements.values[2].xyz - placements.values[0].xyz;
    for (int i = 0; i < 3; ++i)
        rows[i] = vec4(precise_dot(a[i], b[0]), precise_dot(a[i], b[1]), precise_dot(a[i], b[2]),
                       precise_dot(a[i], apart));
}
#endif

// By the bits, for isinf and isnan may be compiled away.
bool is_finite(vec4 v) {
    return all(lessThan(floatBitsToUint(v) & 0x7fffffffu, uvec4(0x7f800000u)));
}

bool is_motion(vec4 rows[3]) {
    const float kTolerance = 1e-4;
    for (int i = 0; i < 3; ++i) {
        if (!is_finite(rows[i]) || abs(dot(rows[i].xyz, rows[i].xyz) - 1.0) > kTolerance) return false;
        if (abs(dot(rows[i].xyz, rows[(i + 1) % 3].xyz)) > kTolerance) return false;
    }
    return true;
}

float power_below(float value) {
    return uintBitsToFloat(clamp(floatBitsToUint(value), 0x00800000u, 0x7f000000u) & 0x7f800000u);
}

void main() {
#if PLACED
    vec4 rows[3];
    relative_rows(rows);
#else
    vec4 rows[3] = vec4[3](params.row_x, params.row_y, params.row_z);
#endif
    vec3 low = vec3(kFar);
    vec3 high = vec3(-kFar);
    HierarchyStatus a = status_a.elements[0];
    HierarchyStatus b = status_b.elements[0];
    if (a.root != kNoNode) {
        low = vec3(a.low[0], a.low[1], a.low[2]);
        high = vec3(a.high[0], a.high[1], a.high[2]);
    }
    for (uint corner = 0u; corner < 8u && b.root != kNoNode; ++corner) {
        vec3 place = moved(rows, vec3((corner & 1u) != 0u ? b.high[0] : b.low[0],
                                      (corner & 2u) != 0u ? b.high[1] : b.low[1],
                                      (corner & 4u) != 0u ? b.high[2] : b.low[2]));
        low = min(low, place);
        high = max(high, place);
    }
    precise vec3 middle = 0.5 * low + 0.5 * high;
    precise vec3 size = 0.5 * high - 0.5 * low;
    float longest = max(max(size.x, size.y), size.z);
    float farthest = max(max(max(abs(low.x), abs(low.y)), abs(low.z)),
                         max(max(abs(high.x), abs(high.y)), abs(high.z)));
    bool any_root = low.x <= high.x;
    if (!any_root) {
        middle = vec3(0.0);
        longest = 0.0;
        farthest = 0.0;
    }
    // A quarter of a step less than all, so that the corners of boxes stay within.
    float scale = power_below(longest > 0.0 ? 0.999999 * kMaxSteps / longest : 1.0);

    PairFrame result;
    result.rows = rows;
    result.middle = middle;
    result.scale = scale;
    result.slack = 2.0 / scale + 4e-6 * farthest;
    result.is_rigid = is_motion(rows) ? 1u : 0u;
    result.unused = vec2(0.0);
    frame.elements[0] = result;
    collision_status.elements[0] =
        SearchStatus(0u, 0u, 0u, 0u, 0u, 0u, 0u, 1u - result.is_rigid, params.pair_room, params.room,
                     params.frontier_room);
}
