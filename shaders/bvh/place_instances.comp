#version 460
// What rays need to know of each instance, and a triangle that spans its box: the hierarchy over
// instances is one over these. What rays cannot hit becomes a triangle that rays cannot hit.

layout(local_size_x = 256) in;

uniform Params {
    uint part_count;
    uint instance_count;
} params;

// The inverse of a matrix of three rows, as far as it has one that numbers of 24 bits tell.

struct Inverse {
    bool exists;
    vec3 rows[3];
};

// The power of two at or below a number; of what is none, 0.
float power_below(float v) {
    return uintBitsToFloat(floatBitsToUint(v) & 0x7f800000u);
}

// Less than this share of the product of the rows' lengths is a volume of nothing: that is what
// rounding leaves of it.
const float kFlat = 9.5367431640625e-7; // 2^-20

// Rows and then columns are brought to the same size first, exactly, so that what is thin or tiny is
// not taken for flat.
Inverse inverse_of(vec3 x, vec3 y, vec3 z) {
    Inverse result;
    result.exists = false;
    vec3 rows[3] = vec3[3](x, y, z);
    vec3 row_size;
    for (uint i = 0u; i < 3u; ++i) {
        vec3 size = abs(rows[i]);
        row_size[i] = power_below(max(max(size.x, size.y), size.z));
        if (row_size[i] == 0.0) return result;
        rows[i] /= row_size[i];
    }
    vec3 most = max(max(abs(rows[0]), abs(rows[1])), abs(rows[2]));
    vec3 column_size = vec3(power_below(most.x), power_below(most.y), power_below(most.z));
    if (any(equal(column_size, vec3(0.0)))) return result;
    for (uint i = 0u; i < 3u; ++i)
        rows[i] /= column_size;
    precise vec3 a = rows[1].yzx * rows[2].zxy - rows[1].zxy * rows[2].yzx;
    precise vec3 b = rows[2].yzx * rows[0].zxy - rows[2].zxy * rows[0].yzx;
    precise vec3 c = rows[0].yzx * rows[1].zxy - rows[0].zxy * rows[1].yzx;
    precise float volume = rows[0].x * a.x + rows[0].y * a.y + rows[0].z * a.z;
    float lengths = length(rows[0]) * length(rows[1]) * length(rows[2]);
    if (!(abs(volume) > kFlat * lengths)) return result;
    for (uint i = 0u; i < 3u; ++i)
        result.rows[i] = vec3(a[i], b[i], c[i]) / volume / column_size[i] / row_size;
    result.exists = true;
    for (uint i = 0u; i < 3u; ++i) {
        uvec3 bits = floatBitsToUint(result.rows[i]) & 0x7fffffffu;
        if (any(greaterThanEqual(bits, uvec3(0x7f800000u))) || all(equal(bits, uvec3(0u))))
            result.exists = false;
    }
    return result;
}

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
    uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x +
             gl_LocalInvocationIndex;
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
