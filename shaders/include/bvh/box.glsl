// Rays against boxes. Include bvh/ray.glsl before.
//
// The interval of a ray in a box never shrinks where the box grows, in floating point as in exact
// arithmetic: each step (a subtraction, a product with one factor, least and greatest) is monotone
// however it rounds. A hierarchy whose boxes hold those of their children to the bit therefore
// never hides a triangle whose own box the ray meets: that is what makes the hits of all tracers
// the same. See bvh/triangle.glsl.

struct Slabs {
    vec3 low;     // the ray's origin, as the low faces of boxes see it
    vec3 high;    // and as the high faces do
    vec3 inverse; // of the direction
};

const float kSmallestDirection = 1e-35;
// Rounding of the two planes of an interval differs by less than this share.
const float kIntervalSlack = 9.5367431640625e-7; // 2^-20

// A ray parallel to a slab is in it or not; one that lies in the slab's face is in. Its own
// direction is none: it is given one that leaves every slab that it is in beyond any distance, and
// faces a little apart, for 0 times infinity is no number.
Slabs slabs_of(Ray ray) {
    bvec3 parallel = lessThan(abs(ray.direction), vec3(kSmallestDirection));
    vec3 direction = mix(ray.direction, vec3(kSmallestDirection), parallel);
    vec3 apart = mix(vec3(0.0), max(abs(ray.origin) * 2.4e-7, vec3(1e-15)), parallel);
    Slabs slabs;
    slabs.low = ray.origin + apart;
    slabs.high = ray.origin - apart;
    precise vec3 inverse = 1.0 / direction;
    slabs.inverse = inverse;
    return slabs;
}

// Where the ray enters and leaves a box; it misses where the first is more than the second.
vec2 interval_in(Slabs slabs, vec3 low, vec3 high) {
    precise vec3 a = (low - slabs.low) * slabs.inverse;
    precise vec3 b = (high - slabs.high) * slabs.inverse;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    float leaves = min(min(far.x, far.y), far.z);
    precise float widened = leaves + abs(leaves) * kIntervalSlack;
    return vec2(max(max(near.x, near.y), near.z), widened);
}

// Whether there may be a hit at `t` or before in a box with this interval. False for NaN.
bool may_hit(vec2 interval, float t) {
    return interval.x <= interval.y && interval.y >= 0.0 && interval.x <= t;
}
