// The box of the triangles below a node: along the principal axes of their surface, or along the
// coordinates, whichever has less surface.
#ifndef COLLISION_FIT
#define COLLISION_FIT

#include "bvh/bvh.glsl"
#include "box.glsl"

readonly buffer Nodes { vec4 values[]; } nodes;
readonly buffer Leaves { vec4 values[]; } leaves;
writeonly buffer Boxes { OrientedBox elements[]; } boxes;

layout(constant_id = 0) const uint kTurned = 1u; // 0: boxes along the coordinates alone

struct Range { // of leaves
    uint first;
    uint count;
};

uint count_of(uint node) {
    return floatBitsToUint(nodes.values[4u * node + 3u].w);
}

// A node has the number of the last leaf of its left child.
Range leaves_of(uint node) {
    uint left = floatBitsToUint(nodes.values[4u * node].w);
    uint before = (left & kLeafBit) != 0u ? 1u : count_of(left);
    return Range(node + 1u - before, count_of(node));
}

// Second moments of surface around `origin`: of twice the areas, times 12.
struct Moments {
    float area;
    vec3 first;
    vec3 diagonal; // xx, yy, zz
    vec3 mixed;    // yz, zx, xy
};

struct Bounds { // along axes
    vec3 low;
    vec3 high;
};

const float kFar = 3.402823466e38;

Moments no_moments() {
    return Moments(0.0, vec3(0.0), vec3(0.0), vec3(0.0));
}

Bounds no_bounds() {
    return Bounds(vec3(kFar), vec3(-kFar));
}

vec3 corner_of(uint leaf, uint corner) {
    return leaves.values[3u * leaf + corner].xyz;
}

// `scale` keeps products of very large and very small meshes within floats.
void add_moments(inout Moments moments, uint leaf, vec3 origin, float scale) {
    vec3 a = (corner_of(leaf, 0u) - origin) * scale;
    vec3 b = (corner_of(leaf, 1u) - origin) * scale;
    vec3 c = (corner_of(leaf, 2u) - origin) * scale;
    float area = length(cross(b - a, c - a));
    vec3 sum = a + b + c;
    moments.area += area;
    moments.first += area * sum / 3.0;
    moments.diagonal += area * (sum * sum + a * a + b * b + c * c);
    moments.mixed += area * (sum.yzx * sum.zxy + a.yzx * a.zxy + b.yzx * b.zxy + c.yzx * c.zxy);
}

void add_bounds(inout Bounds bounds, uint leaf, mat3 axes) {
    for (uint corner = 0u; corner < 3u; ++corner) {
        vec3 place = corner_of(leaf, corner) * axes;
        bounds.low = min(bounds.low, place);
        bounds.high = max(bounds.high, place);
    }
}

Bounds own_bounds(uint node) {
    vec3 low = min(nodes.values[4u * node].xyz, nodes.values[4u * node + 2u].xyz);
    vec3 high = max(nodes.values[4u * node + 1u].xyz, nodes.values[4u * node + 3u].xyz);
    return Bounds(low, high);
}

float scale_of(Bounds bounds) {
    vec3 size = bounds.high - bounds.low;
    float largest = max(max(size.x, size.y), size.z);
    return largest > 0.0 ? 1.0 / largest : 1.0;
}

// Turns axes p and q so that the mixed moment of both becomes zero.
void turn_pair(inout mat3 moments, inout mat3 axes, int p, int q) {
    float mixed = moments[p][q];
    if (abs(mixed) <= 1e-12 * (abs(moments[p][p]) + abs(moments[q][q]))) return;
    float theta = (moments[q][q] - moments[p][p]) / (2.0 * mixed);
    float t = (theta < 0.0 ? -1.0 : 1.0) / (abs(theta) + sqrt(theta * theta + 1.0));
    float c = inversesqrt(t * t + 1.0);
    float s = t * c;
    mat3 rotation = mat3(1.0);
    rotation[p][p] = c;
    rotation[q][q] = c;
    rotation[p][q] = -s; // column p
    rotation[q][p] = s;
    moments = transpose(rotation) * moments * rotation;
    axes = axes * rotation;
}

// Unit axes along which no moments are mixed (Jacobi).
mat3 principal_axes(Moments m) {
    if (!(m.area > 0.0)) return mat3(1.0);
    vec3 mean = m.first / m.area;
    vec3 diagonal = m.diagonal / (12.0 * m.area) - mean * mean;
    vec3 mixed = m.mixed / (12.0 * m.area) - mean.yzx * mean.zxy;
    mat3 moments = mat3(diagonal.x, mixed.z, mixed.y, mixed.z, diagonal.y, mixed.x, mixed.y,
                        mixed.x, diagonal.z);
    mat3 axes = mat3(1.0);
    for (int sweep = 0; sweep < 6; ++sweep) {
        turn_pair(moments, axes, 0, 1);
        turn_pair(moments, axes, 0, 2);
        turn_pair(moments, axes, 1, 2);
    }
    vec3 x = normalize(axes[0]);
    vec3 y = normalize(axes[1] - dot(axes[1], x) * x);
    bool sound = abs(dot(x, y)) < 1e-4 && abs(dot(x, x) - 1.0) < 1e-4 && abs(dot(y, y) - 1.0) < 1e-4;
    return sound ? mat3(x, y, cross(x, y)) : mat3(1.0);
}

float surface_of(Bounds bounds) {
    vec3 size = bounds.high - bounds.low;
    return size.x * size.y + size.y * size.z + size.z * size.x;
}

// Larger by what rounding may have lost.
void write_box(uint node, Bounds straight, Bounds turned, mat3 axes) {
    bool is_turned = kTurned != 0u && surface_of(turned) < surface_of(straight);
    Bounds bounds = straight;
    if (is_turned) bounds = turned;
    else axes = mat3(1.0);
    vec3 half_size = 0.5 * (bounds.high - bounds.low);
    vec3 middle = 0.5 * (bounds.low + bounds.high);
    half_size += 1e-6 * (abs(middle) + half_size);
    boxes.elements[node] = OrientedBox(vec4(axes * middle, 0.0), vec4(half_size, 0.0),
                                       vec4(axes[0], 0.0), vec4(axes[1], 0.0));
}

#endif
