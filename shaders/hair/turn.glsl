// Rotations as quaternions (x, y, z, w), and places that turn and shift.
#ifndef HAIR_TURN
#define HAIR_TURN

const vec4 kNoTurn = vec4(0.0, 0.0, 0.0, 1.0);

// `precise`: roots are the same bits in every kernel.
vec3 turned(vec4 q, vec3 v) {
    precise vec3 t = 2.0 * cross(q.xyz, v);
    precise vec3 result = v + q.w * t + cross(q.xyz, t);
    return result;
}

vec4 inverse_turn(vec4 q) {
    return vec4(-q.xyz, q.w);
}

// First b, then a.
vec4 joined_turns(vec4 a, vec4 b) {
    return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

// The smallest rotation that takes x to a unit vector; about z where that is -x.
vec4 turn_from_x(vec3 to) {
    if (to.x < -0.999999) return vec4(0.0, 0.0, 1.0, 0.0);
    return normalize(vec4(0.0, -to.z, to.y, 1.0 + to.x));
}

// The smallest rotation from one unit vector to another.
vec4 turn_between(vec3 from, vec3 to) {
    float along = dot(from, to);
    if (along < -0.999999) {
        vec3 side = abs(from.x) < 0.7 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
        return vec4(normalize(cross(from, side)), 0.0);
    }
    return normalize(vec4(cross(from, to), 1.0 + along));
}

struct Place {
    vec4 turn;
    vec3 shift;
};
const Place kNoPlace = Place(kNoTurn, vec3(0.0));

vec3 placed(Place place, vec3 point) {
    precise vec3 result = turned(place.turn, point) + place.shift;
    return result;
}

vec3 taken_back(Place place, vec3 point) {
    return turned(inverse_turn(place.turn), point - place.shift);
}

// First b, then a.
Place joined_places(Place a, Place b) {
    return Place(joined_turns(a.turn, b.turn), placed(a, b.shift));
}

// Between two places; exactly the second one at share 1.
Place place_between(Place a, Place b, float share) {
    if (share >= 1.0) return b;
    vec4 end = dot(a.turn, b.turn) < 0.0 ? -b.turn : b.turn;
    return Place(normalize(mix(a.turn, end, share)), mix(a.shift, b.shift, share));
}

#endif
