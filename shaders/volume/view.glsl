// Rays through the middles of texels. C++: `set_view`.

// `first`: to the picture's corner; `per_x` and `per_y`: from texel to texel. Of unit length: all distances of media are along such a ray, from the eye, and never depths.
vec3 ray_through(vec2 texel, vec3 first, vec3 per_x, vec3 per_y) {
    precise vec3 direction = first + texel.x * per_x + texel.y * per_y;
    return normalize(direction);
}

const float kFarthest = 3.402823466e38; // stands for infinity, which devices need not know

bool is_number(float value) {
    return (floatBitsToUint(value) & 0x7fffffffu) < 0x7f800000u;
}

// How far a ray goes to a triangle: by its plane, which knows more digits than what is interpolated
// between its corners, unless it is seen edge on. The normal is of any length; the point is one of
// the triangle, from the eye.
float distance_to_plane(vec3 direction, vec3 plane_normal, vec3 plane_point, float interpolated) {
    const float kEdgeOn = 1e-2;
    precise float facing = dot(plane_normal, direction);
    precise float along = dot(plane_normal, plane_point);
    precise float exact = along / facing;
    bool steep = abs(facing) > kEdgeOn * length(plane_normal);
    float distance = steep ? exact : interpolated;
    return is_number(distance) ? max(distance, 0.0) : 0.0;
}

// How far the ray goes: what is no distance stands for nothing.
float opaque_distance(float stored) {
    return is_number(stored) && stored >= 0.0 ? stored : kFarthest;
}
