// Where rays through smoke end: at other surfaces, whose depth has the same camera.
layout(constant_id = 24) const uint has_behind_depth = 0u;
uniform sampler2D behind_depth; // clip space

struct DepthRange {
    float near_plane; // world units
    float far_plane;
    float cells_a_unit;
};

// The distance along a ray at which it ends, in cells. `forward` has length 1.
float end_of_ray(ivec2 texel, DepthRange range, vec3 forward, vec3 direction) {
    const float kEndless = 1e30;
    float clip = has_behind_depth != 0u ? texelFetch(behind_depth, texel, 0).r : 1.0;
    if (!(clip < 1.0)) return kEndless;
    float far = range.far_plane;
    float depth = far * range.near_plane / max(far - clip * (far - range.near_plane), 1e-20);
    return depth * range.cells_a_unit / max(dot(direction, forward), 1e-6);
}
