// Where in its triangle a pixel lies.

// Weights of the corners in the middle of a pixel, that interpolate what vertices have in space.
// They are found in homogeneous coordinates (Olano and Greer, "Triangle Scan Conversion Using 2D
// Homogeneous Coordinates", Graphics Hardware 1997), so that corners may lie behind the camera.
vec3 barycentrics(mat4 clip_from_mesh, uvec2 size, vec3 a, vec3 b, vec3 c, ivec2 pixel) {
    vec3 middle = vec3((vec2(pixel) + 0.5) / vec2(size) * 2.0 - 1.0, 1.0);
    vec3 at_a = (clip_from_mesh * vec4(a, 1.0)).xyw;
    vec3 at_b = (clip_from_mesh * vec4(b, 1.0)).xyw;
    vec3 at_c = (clip_from_mesh * vec4(c, 1.0)).xyw;
    vec3 weights = vec3(dot(cross(at_b, at_c), middle), dot(cross(at_c, at_a), middle),
                        dot(cross(at_a, at_b), middle));
    float sum = weights.x + weights.y + weights.z;
    return sum != 0.0 ? weights / sum : vec3(1.0, 0.0, 0.0);
}
