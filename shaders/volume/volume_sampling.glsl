// The numbers of a volume at places in it. Places are in texels: the centre of the first one is 0.
// What is no number is handed on; who adds numbers up leaves it out.
#ifndef VOLUME_SAMPLING
#define VOLUME_SAMPLING

#include "volume_texels.glsl"

layout(constant_id = 10) const uint kFilter = 1u; // 0: nearest, 1: linear, 2: the device's own filter
layout(constant_id = 13) const uint kReach = 0u; // of weights: 1 for 3 x 3 x 3
layout(constant_id = 14) const uint has_weights = 0u; // places are filtered as they are looked at

readonly buffer Weights { float values[]; } weights; // of the texels around, x fastest

// A neighbour without weight does not count, though it be no number.
float between(float a, float b, float share) {
    return share == 0.0 ? a : a * (1.0 - share) + b * share;
}

float plain_number_at(ivec3 dims, vec3 place) {
    if (kFilter == 0u)
        return fetch(clamp(ivec3(floor(place + 0.5)), ivec3(0), dims - 1));
    if (kFilter == 2u)
        return number_of(textureLod(source, (place + 0.5) / vec3(dims), 0.0));
    vec3 inside = clamp(place, vec3(0.0), vec3(dims - 1));
    ivec3 low = ivec3(inside);
    ivec3 high = min(low + 1, dims - 1);
    vec3 share = inside - vec3(low);
    vec4 rows = vec4(
        between(fetch(low), fetch(ivec3(high.x, low.yz)), share.x),
        between(fetch(ivec3(low.x, high.y, low.z)), fetch(ivec3(high.xy, low.z)), share.x),
        between(fetch(ivec3(low.xy, high.z)), fetch(ivec3(high.x, low.y, high.z)), share.x),
        between(fetch(ivec3(low.x, high.yz)), fetch(high), share.x));
    return between(between(rows.x, rows.y, share.y), between(rows.z, rows.w, share.y), share.z);
}

// The number at a place, which is brought into the volume first.
float number_at(ivec3 dims, vec3 place) {
    if (has_weights == 0u) return plain_number_at(dims, place);
    vec3 inside = clamp(place, vec3(0.0), vec3(dims - 1));
    int reach = int(kReach);
    float sum = 0.0;
    int i = 0;
    for (int z = -reach; z <= reach; ++z)
        for (int y = -reach; y <= reach; ++y)
            for (int x = -reach; x <= reach; ++x, ++i)
                sum += weights.values[i] * plain_number_at(dims, inside + vec3(x, y, z));
    return sum;
}

// How fast the number changes along x, y and z, by central differences; 0 where that is no number.
vec3 gradient_at(ivec3 dims, vec3 place) {
    vec3 change = vec3(0.0);
    for (int axis = 0; axis < 3; ++axis) {
        vec3 ahead = vec3(0.0);
        ahead[axis] = 1.0;
        change[axis] = 0.5 * (number_at(dims, place + ahead) - number_at(dims, place - ahead));
    }
    float squared = dot(change, change);
    return is_number(squared) && !isinf(squared) ? change : vec3(0.0);
}

#endif
