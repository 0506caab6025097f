// Curvature within a pixel, added to the roughness so that small highlights neither sparkle nor
// alias (Kaplanyan et al., "Filtering Distributions of Normals for Shading Antialiasing", HPG 2016;
// Tokuyoshi and Kaplanyan, "Improved Geometric Specular Antialiasing", I3D 2019). `normal` is the
// interpolated one, whose derivatives are continuous across triangles. Fragment stage.
float filtered_alpha(vec3 normal, float alpha) {
    const float kPixelVariance = 0.25; // of a half-pixel filter, sigma squared
    const float kMostAdded = 0.18;
    vec3 dx = dFdx(normal);
    vec3 dy = dFdy(normal);
    float added = min(2.0 * kPixelVariance * (dot(dx, dx) + dot(dy, dy)), kMostAdded);
    return sqrt(clamp(alpha * alpha + added, 0.0, 1.0));
}
