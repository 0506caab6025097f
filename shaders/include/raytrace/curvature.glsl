// How much the normals of a triangle turn.
#ifndef RAYTRACE_CURVATURE
#define RAYTRACE_CURVATURE

float turn_along(vec3 edge, vec3 from, vec3 to) {
    return dot(to - from, edge) / max(dot(edge, edge), 1e-30);
}

// How much the normal of the front turns over a unit of length: the mean over the edges of a triangle
// that has these normals, of any length, at its corners (Akenine-Moeller and others, "Improved Shader
// and Texture Level of Detail Using Ray Cones", JCGT 10(1), 2021).
float curvature_of(vec3 edge_b, vec3 edge_c, vec3 normal_a, vec3 normal_b, vec3 normal_c) {
    if (dot(normal_a, normal_a) * dot(normal_b, normal_b) * dot(normal_c, normal_c) == 0.0) return 0.0;
    vec3 a = normalize(normal_a);
    vec3 b = normalize(normal_b);
    vec3 c = normalize(normal_c);
    return (turn_along(edge_b, a, b) + turn_along(edge_c, a, c) +
            turn_along(edge_c - edge_b, b, c)) / 3.0;
}

#endif
