#ifndef FLUID_SPARSE_RAYS
#define FLUID_SPARSE_RAYS
// Rays through smoke in bricks. A ray is sampled at (i + 1/2) steps from its eye, whichever brick it is
// in, so that what is drawn does not depend on how the domain is divided.
#include "sparse/map.glsl"

readonly buffer Dye { StoredCell cells[]; } dye;
readonly buffer Reached { float values[]; } reached; // share of the light at each cell

// From where to where a ray is in a box; empty where the second is not beyond the first.
vec2 span_in(vec3 eye, vec3 inverse, vec3 low, vec3 high) {
    vec3 a = (low - eye) * inverse;
    vec3 b = (high - eye) * inverse;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    return vec2(max(max(near.x, near.y), near.z), min(min(far.x, far.y), far.z));
}
vec3 inverse_of(vec3 direction) {
    return 1.0 / mix(direction, vec3(1e-9), lessThan(abs(direction), vec3(1e-9)));
}

struct SmokeSample {
    vec4 dye;
    float light;
};

// Linear between the middles of cells; nothing where bricks are not active. `brick`, in slot `slot`,
// is the one in which the place is.
SmokeSample sample_at(vec3 place, ivec3 brick, uint slot) {
    vec3 from = place - 0.5;
    vec3 corner = floor(from);
    vec3 share = from - corner;
    ivec3 local = ivec3(corner) - brick * kBrick;
    bool inside = all(greaterThanEqual(local, ivec3(0))) && all(lessThan(local + 1, kBrick)) &&
                  all(lessThan(ivec3(corner) + 1, kDomain));
    SmokeSample sum = SmokeSample(vec4(0.0), 0.0);
    float lit = 0.0;
    for (int i = 0; i < 8; ++i) {
        ivec3 side = ivec3(i & 1, i >> 1 & 1, i >> 2);
        vec3 part = mix(1.0 - share, share, vec3(side));
        uint at = inside ? slot * kBrickCells + cell_in_brick(local + side)
                         : find_cell(ivec3(corner) + side);
        if (at == kNoBrick) continue;
        float weight = part.x * part.y * part.z;
        sum.dye += weight * cell_of(dye.cells[at]);
        sum.light += weight * reached.values[at];
        lit += weight;
    }
    sum.light /= max(lit, 1e-6);
    return sum;
}

float amount_of(vec4 value) {
    return (value.r + value.g + value.b) * (1.0 / 3.0);
}

#endif
