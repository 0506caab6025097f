#version 460
// A thorax with a beating heart, of ellipsoids whose later ones lie over earlier ones, or a helix
// that turns. Edges are a voxel wide, so that the numbers do not depend on how a voxel happens to
// lie.
//! variants SHAPE=thorax,helix

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "hash.glsl"

#if SHAPE_thorax
struct Ellipsoid {
    vec4 center_angle; // -1 to 1 over the array; radians about z
    vec4 radii_value;
    vec4 beat;         // share of the radii that a heartbeat takes, and when: turns
};
readonly buffer Ellipsoids { Ellipsoid list[]; } ellipsoids;
#endif
writeonly buffer Result { float values[]; } result;
writeonly buffer Reference { float values[]; } reference;

uniform Params {
    uvec4 size;
    uint count;
    uint seed;
    float noise; // standard deviation
#if SHAPE_thorax
    uint parts;
#else
    float turns;  // of the helix, from one end to the other
    float radius; // of the helix; half the array is 1
    float width;  // of the wire: standard deviation of a Gaussian across it
#endif
} params;

const float kTau = 6.28318530718;

#if SHAPE_thorax
// The share of a voxel that lies in the ellipsoid, as if its surface were a plane there.
float coverage(Ellipsoid one, vec3 place, vec3 per_voxel, float time) {
    float systole = 0.5 - 0.5 * cos(kTau * (time + one.beat.y));
    vec3 radii = one.radii_value.xyz * (1.0 - one.beat.x * systole);
    float c = cos(one.center_angle.w);
    float s = sin(one.center_angle.w);
    vec3 from = place - one.center_angle.xyz;
    vec3 q = vec3(c * from.x + s * from.y, c * from.y - s * from.x, from.z) / radii;
    float away = length(q);
    if (away < 1e-3) return 1.0;
    vec3 slope = q / (away * radii);
    slope = vec3(c * slope.x - s * slope.y, s * slope.x + c * slope.y, slope.z) * per_voxel;
    return clamp(0.5 - (away - 1.0) / length(slope), 0.0, 1.0);
}

float value_at(vec3 place, vec3 per_voxel, float time) {
    float value = 0.0;
    for (uint i = 0u; i < params.parts; ++i) {
        Ellipsoid one = ellipsoids.list[i];
        value = mix(value, one.radii_value.w, coverage(one, place, per_voxel, time));
    }
    return value;
}
#else
// The nearest point of the helix (r cos a, r sin a, (a - start) / pitch): in the turns above and
// below the one that the angle says, by Newton's method.
float value_at(vec3 place, vec3 per_voxel, float time) {
    float rise = 2.0 / (kTau * params.turns); // along z for a radian
    float start = kTau * time;
    float around = place.xy == vec2(0.0) ? 0.0 : atan(place.y, place.x);
    float turn = round(((place.z + 1.0) / rise + start - around) / kTau);
    float nearest = 1e30;
    for (int k = -1; k <= 1; ++k) {
        float a = around + kTau * (turn + float(k));
        for (int step = 0; step < 4; ++step) {
            float sine = sin(a);
            float cosine = cos(a);
            float z = rise * (a - start) - 1.0;
            float slope = params.radius * (place.x * sine - place.y * cosine) +
                          rise * (z - place.z);
            float curve = params.radius * (place.x * cosine + place.y * sine) + rise * rise;
            a -= slope / max(curve, rise * rise);
        }
        vec3 on = vec3(params.radius * cos(a), params.radius * sin(a), rise * (a - start) - 1.0);
        nearest = min(nearest, distance(on, place));
    }
    float away = nearest / params.width;
    return exp(-0.5 * away * away);
}
#endif

// Box and Muller's: a number of the normal distribution.
float normal_number(uint index) {
    vec3 random = random_numbers(index, params.seed, 0x9e3779b9u);
    return sqrt(-2.0 * log(1.0 - random.x)) * cos(kTau * random.y); // 1 - x is never 0
}

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uvec4 voxel;
    uint rest = index;
    voxel.x = rest % params.size.x;
    rest /= params.size.x;
    voxel.y = rest % params.size.y;
    rest /= params.size.y;
    voxel.z = rest % params.size.z;
    voxel.w = rest / params.size.z;

    vec3 per_voxel = 2.0 / vec3(params.size.xyz);
    vec3 place = (vec3(voxel.xyz) + 0.5) * per_voxel - 1.0;
    float value = value_at(place, per_voxel, float(voxel.w) / float(params.size.w));
    reference.values[index] = value;
    result.values[index] = value + params.noise * normal_number(index);
}
