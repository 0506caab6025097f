#version 460
// What rays need to know of each instance, and a triangle that spans its box: the hierarchy over
// instances is one over these. What rays cannot hit becomes a triangle that rays cannot hit.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint part_count;
    uint instance_count;
} params;

#include "inverse.glsl"
#include "parts.glsl"
#include "bvh/bvh.glsl"

readonly buffer Parts { uvec4 values[]; } parts;
readonly buffer Instances { uvec4 values[]; } instances; // see passes/bvh/instances.hpp
writeonly buffer Records { uvec4 values[]; } records;
writeonly buffer Positions { float values[]; } positions;
writeonly buffer Corners { uint values[]; } corners;

// Beyond what rounding moves a corner by.
const float kBoxSlack = 9.5367431640625e-7; // 2^-20
const float kSmallestBox = 1e-18;           // the square of it is not nothing

const uint kHit = 0u;
const uint kSingular = 1u;
const uint kInfinite = 2u;
const uint kNoSuchMesh = 3u;

// Positions 3i to 3i + 2 are instance i's.
void write_triangle(uint i, uint kind, vec3 low, vec3 high) {
    vec3 third = vec3(low.x, high.y, low.z);
    if (kind == kInfinite) low = uintBitsToFloat(uvec3(0x7f800000u));
    if (kind == kSingular) {
        low = vec3(0.0);
        high = low;
        third = low;
    }
    for (uint axis = 0u; axis < 3u; ++axis) {
        positions.values[9u * i + axis] = low[axis];
        positions.values[9u * i + 3u + axis] = high[axis];
        positions.values[9u * i + 6u + axis] = third[axis];
        corners.values[3u * i + axis] = kind == kNoSuchMesh ? 0xffffffffu : 3u * i + axis;
    }
}

bool is_finite(vec4 v) {
    return all(lessThan(floatBitsToUint(v) & 0x7fffffffu, uvec4(0x7f800000u)));
}

void main() {
    uint i = invocation_index();
    if (i >= params.instance_count) return;
    vec4 rows[3];
    for (uint row = 0u; row < 3u; ++row)
        rows[row] = uintBitsToFloat(instances.values[4u * i + row]);
    uvec4 what = instances.values[4u * i + 3u];
    if (what.x >= params.part_count) {
        write_triangle(i, kNoSuchMesh, vec3(0.0), vec3(0.0));
        return;
    }
    if (!is_finite(rows[0]) || !is_finite(rows[1]) || !is_finite(rows[2])) {
        write_triangle(i, kInfinite, vec3(0.0), vec3(0.0));
        return;
    }
    uvec4 a = parts.values[kPartQuads * what.x];
    uvec4 b = parts.values[kPartQuads * what.x + 1u];
    uint leaves = parts.values[kPartQuads * what.x + 2u].x;
    Inverse inverse = inverse_of(rows[0].xyz, rows[1].xyz, rows[2].xyz);
    if (a.w == kNoNode || !inverse.exists) {
        write_triangle(i, kSingular, vec3(0.0), vec3(0.0));
        return;
    }
    bool unmoved = rows[0] == vec4(1, 0, 0, 0) && rows[1] == vec4(0, 1, 0, 0) &&
                   rows[2] == vec4(0, 0, 1, 0);
    vec3 low = vec3(0.0);
    vec3 high = vec3(0.0);
    for (uint row = 0u; row < 3u; ++row) {
        vec3 from = rows[row].xyz * uintBitsToFloat(a.xyz);
        vec3 to = rows[row].xyz * uintBitsToFloat(b.xyz);
        vec3 least = min(from, to);
        vec3 most = max(from, to);
        vec3 size = max(abs(from), abs(to));
        float slack =
            kBoxSlack * (size.x + size.y + size.z + abs(rows[row].w)) + kSmallestBox;
        low[row] = least.x + least.y + least.z + rows[row].w - slack;
        high[row] = most.x + most.y + most.z + rows[row].w + slack;
    }
    write_triangle(i, kHit, low, high);
    records.values[4u * i] = floatBitsToUint(vec4(inverse.rows[0], rows[0].w));
    records.values[4u * i + 1u] = floatBitsToUint(vec4(inverse.rows[1], rows[1].w));
    records.values[4u * i + 2u] = floatBitsToUint(vec4(inverse.rows[2], rows[2].w));
    records.values[4u * i + 3u] = uvec4(a.w, b.w | (unmoved ? kUnmoved : 0u), leaves, what.y);
}
