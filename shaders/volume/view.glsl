// Rays through the middles of texels. Before the include, declare in `Params`: vec3 eye, first,
// per_x and per_y. C++: `set_view`.

// Of unit length: all distances of media are along such a ray, from the eye, and never depths.
vec3 ray_through(vec2 texel) {
    precise vec3 direction = params.first + texel.x * params.per_x + texel.y * params.per_y;
    return normalize(direction);
}

const float kFarthest = 3.402823466e38; // stands for infinity, which devices need not know

bool is_number(float value) {
    return (floatBitsToUint(value) & 0x7fffffffu) < 0x7f800000u;
}

// How far the ray goes: what is no distance stands for nothing.
float opaque_distance(float stored) {
    return is_number(stored) && stored >= 0.0 ? stored : kFarthest;
}
