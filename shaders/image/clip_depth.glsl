// Depth along the view, in scene units, of a clip-space depth (0 near, 1 far) of a perspective
// camera.
float view_depth(float clip_depth, float near, float far) {
    return near * far / (far - clip_depth * (far - near));
}
