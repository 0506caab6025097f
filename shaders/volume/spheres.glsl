// Sorted spheres and what a ray has in common with them. C++: `bind_spheres`.

readonly buffer Balls { vec4 values[]; } balls;   // centre and radius
readonly buffer Optics { vec4 values[]; } optics; // three a sphere: see passes/volume/media.hpp
readonly buffer Nearest { float values[]; } nearest; // distance from the eye; negative inside

layout(constant_id = 20) const uint has_radius_map = 0u; // 1: radii come from a map
uniform samplerCube radius_map;

// Where a ray is within a sphere, and the share of its density that the ray meets.
struct Chord {
    float enters;
    float leaves; // not after `enters` where the ray misses
    float share;
};

// Modified Rodrigues parameters: the axis times tan(angle / 4), of length at most 1.
vec3 turn_back(vec3 rotation, vec3 v) {
    float squared = dot(rotation, rotation);
    vec3 axis = 2.0 * rotation / (1.0 + squared); // of the quaternion
    float real = (1.0 - squared) / (1.0 + squared);
    return v + 2.0 * cross(axis, cross(axis, v) - real * v);
}

float radius_towards(uint sphere, vec3 outwards) {
    vec3 rotation = vec3(optics.values[3u * sphere].w, optics.values[3u * sphere + 1u].w,
                         optics.values[3u * sphere + 2u].w);
    return clamp(cube_radiance(radius_map, turn_back(rotation, outwards), 0.0).r, 0.0, 1.0);
}

// Of a ray from `eye`; the share falls off towards the rim with the power `softness`.
Chord chord_of(uint sphere, vec3 eye, vec3 direction, float softness) {
    Chord missed = Chord(0.0, 0.0, 0.0);
    vec4 ball = balls.values[sphere];
    vec3 centre = ball.xyz - eye;
    float middle = dot(centre, direction);
    // From the point nearest to the centre: the difference of two large squares would lose digits.
    vec3 beside = middle * direction - centre;
    float apart = dot(beside, beside);
    float half_squared = ball.w * ball.w - apart;
    if (!(half_squared > 0.0)) return missed;
    float half_chord = sqrt(half_squared);
    Chord chord = Chord(middle - half_chord, middle + half_chord, 1.0);
    float radius = ball.w;
    if (has_radius_map != 0u) {
        // One step of refinement: the sphere whose radius is the map's towards the first hit.
        float front = ball.w * radius_towards(sphere, beside - half_chord * direction);
        float back = ball.w * radius_towards(sphere, beside + half_chord * direction);
        float front_squared = front * front - apart;
        float back_squared = back * back - apart;
        if (!(front_squared > 0.0) || !(back_squared > 0.0)) return missed;
        chord.enters = middle - sqrt(front_squared);
        chord.leaves = middle + sqrt(back_squared);
        radius = max(front, back);
    }
    if (softness > 0.0) {
        float across = clamp(1.0 - apart / (radius * radius), 0.0, 1.0);
        chord.share = pow(across, softness);
    }
    return chord;
}
