// What a fibre sends from the light to the eye, for each unit of light that falls on it.
#ifndef HAIR_FIBRE
#define HAIR_FIBRE

const float kPi = 3.14159265;

// Kajiya and Kay, "Rendering Fur with Three Dimensional Textures", SIGGRAPH 1989: diffuse and
// specular share of light that comes from `to_light` to `to_eye`.
vec2 kajiya_kay(vec3 tangent, vec3 to_light, vec3 to_eye, float exponent) {
    float along_light = dot(tangent, to_light);
    float along_eye = dot(tangent, to_eye);
    float across_light = sqrt(max(1.0 - along_light * along_light, 0.0));
    float across_eye = sqrt(max(1.0 - along_eye * along_eye, 0.0));
    float mirrored = max(across_light * across_eye - along_light * along_eye, 0.0);
    return vec2(across_light, pow(mirrored, exponent));
}

struct Fibre {
    vec3 absorption; // of light through the middle, by the radius
    float shift;     // of the scales on the surface, radians
    float roughness; // along the fibre, radians
    float spread;    // around the fibre, radians
};

float normal_curve(float x, float deviation) {
    return exp(-0.5 * x * x / (deviation * deviation)) / (deviation * sqrt(2.0 * kPi));
}

// Reflectance of a dielectric, unpolarised.
float fresnel(float cosine, float index) {
    float sine2 = (1.0 - cosine * cosine) / (index * index);
    if (sine2 >= 1.0) return 1.0;
    float inside = sqrt(1.0 - sine2);
    float s = (cosine - index * inside) / (cosine + index * inside);
    float p = (inside - index * cosine) / (inside + index * cosine);
    return 0.5 * (s * s + p * p);
}

float turned_by(float angle) { // to [-pi, pi]
    return angle - 2.0 * kPi * floor(angle / (2.0 * kPi) + 0.5);
}

// Marschner et al., "Light Scattering from Human Hair Fibers", SIGGRAPH 2003: reflected (R), through
// (TT), and reflected inside (TRT). Around the fibre each path is summed up over where light enters,
// and blurred (d'Eon et al., "An Energy-Conserving Hair Reflectance Model", EGSR 2011).
vec3 marschner(vec3 tangent, vec3 to_light, vec3 to_eye, Fibre fibre) {
    const float kIndex = 1.55;
    const uint kSteps = 16u;
    float sine_i = clamp(dot(tangent, to_light), -1.0, 1.0);
    float sine_r = clamp(dot(tangent, to_eye), -1.0, 1.0);
    float theta_i = asin(sine_i);
    float theta_r = asin(sine_r);
    float half_way = 0.5 * (theta_i + theta_r);
    float apart = 0.5 * (theta_r - theta_i);
    float cos_d = max(cos(apart), 0.05);
    vec3 a = to_light - sine_i * tangent;
    vec3 b = to_eye - sine_r * tangent;
    float both = length(a) * length(b);
    float phi = both > 1e-6 ? acos(clamp(dot(a, b) / both, -1.0, 1.0)) : 0.0;

    // Bravais: in the plane across the fibre the index of refraction is another.
    float sin_d = sin(apart);
    float index = sqrt(kIndex * kIndex - sin_d * sin_d) / cos_d;
    vec3 around_r = vec3(0.0);
    vec3 around_tt = vec3(0.0);
    vec3 around_trt = vec3(0.0);
    for (uint i = 0u; i < kSteps; ++i) {
        float h = (2.0 * (float(i) + 0.5) / float(kSteps) - 1.0);
        float gamma = asin(h);
        float inner = asin(h / index);
        float reflected = fresnel(cos_d * sqrt(1.0 - h * h), kIndex);
        // The way through, by the radius; longer where it goes along the fibre, too.
        float way = 2.0 * cos(inner) / sqrt(max(1.0 - sin_d * sin_d / (kIndex * kIndex), 1e-3));
        vec3 through = exp(-fibre.absorption * way);
        // Where light leaves, and the same mirrored: phi has no sign.
        float r = normal_curve(turned_by(phi + 2.0 * gamma), fibre.spread);
        float tt = normal_curve(turned_by(phi - (2.0 * inner - 2.0 * gamma + kPi)), fibre.spread);
        float trt = normal_curve(turned_by(phi - (4.0 * inner - 2.0 * gamma)), fibre.spread);
        around_r += r * reflected;
        around_tt += tt * (1.0 - reflected) * (1.0 - reflected) * through;
        around_trt += trt * (1.0 - reflected) * (1.0 - reflected) * reflected * through * through;
    }
    // Half the sum of steps of 2 / kSteps; and half, for angles to the half way change half as fast.
    float share = 0.5 / float(kSteps);
    vec3 sum = normal_curve(half_way - fibre.shift, fibre.roughness) * around_r +
               normal_curve(half_way + 0.5 * fibre.shift, 0.5 * fibre.roughness) * around_tt +
               normal_curve(half_way + 1.5 * fibre.shift, 2.0 * fibre.roughness) * around_trt;
    return sum * share / (cos_d * cos_d);
}

#endif
