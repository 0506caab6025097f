// Cameras and their places. A camera looks along +z, x to the right and y down; depth is z. The middle of
// the first pixel is (0, 0). Intrinsics are (fx, fy, cx, cy), pixels.
#ifndef MAPPING_CAMERA
#define MAPPING_CAMERA

// Camera to world.
struct Pose {
    mat3 turn;
    vec3 place;
    bool known; // else nobody knows where the camera is
};

bool is_finite(float x) {
    return (floatBitsToUint(x) & 0x7fffffffu) < 0x7f800000u;
}
bool is_finite(vec4 v) {
    return is_finite(v.x) && is_finite(v.y) && is_finite(v.z) && is_finite(v.w);
}

// Of the four rows of a matrix. The last is 0, 0, 0, 1, or 0, 0, 0, 0 where the camera is lost.
Pose pose_of(vec4 x, vec4 y, vec4 z, vec4 last) {
    bool finite = is_finite(x) && is_finite(y) && is_finite(z);
    return Pose(mat3(vec3(x.x, y.x, z.x), vec3(x.y, y.y, z.y), vec3(x.z, y.z, z.z)),
                vec3(x.w, y.w, z.w), finite && last.w == 1.0);
}

// The point of depth 1 that a pixel shows.
vec3 ray_of(vec4 intrinsics, vec2 pixel) {
    return vec3((pixel - intrinsics.zw) / intrinsics.xy, 1.0);
}
// Where a point is seen, for z > 0.
vec2 pixel_of(vec4 intrinsics, vec3 point) {
    return intrinsics.xy * point.xy / point.z + intrinsics.zw;
}
// Of the picture of half the size, whose first pixel is the first four.
vec4 halved(vec4 intrinsics) {
    return vec4(0.5 * intrinsics.xy, 0.5 * (intrinsics.zw + 0.5) - 0.5);
}

// Standard deviation of the depth that a structured-light camera measures, metres (C. Nguyen, S. Izadi
// and D. Lovell, "Modeling Kinect Sensor Noise for Improved 3D Reconstruction and Tracking", 2012).
float depth_noise(float z) {
    return 0.0012 + 0.0019 * (z - 0.4) * (z - 0.4);
}

// Depths of neighbouring pixels that differ by more belong to different surfaces: `edge`, and what the
// slant of a surface makes from pixel to pixel.
float largest_step(float edge, float z, float focal_length) {
    return edge + 3.0 * z / focal_length;
}

#endif
