// How surfaces scatter light: Lambert's law below a GGX interface, glTF's metallic-roughness model.
// Include scene/ggx.glsl before. Directions point away from the surface, unit length.

const float kDielectricF0 = 0.04;
const float kSmoothest = 0.002; // alpha of a highlight of a light without size

struct Scattering {
    vec3 base;   // albedo of the diffuse part
    vec3 f0;     // reflectance of the interface along the normal
    float f90;   // and along the surface
    float alpha; // of the GGX distribution
};

// `specular` is the strength of the interface of dielectrics: 1 as in glTF, 0: there is none.
Scattering scattering_of(vec3 base_color, float metallic, float roughness, float specular) {
    return Scattering(base_color * (1.0 - metallic),
                      mix(vec3(kDielectricF0 * specular), base_color, metallic),
                      mix(specular, 1.0, metallic), roughness * roughness);
}

vec3 fresnel_at(Scattering s, float cosine) {
    float grazing = 1.0 - clamp(cosine, 0.0, 1.0);
    float squared = grazing * grazing;
    return s.f0 + (s.f90 - s.f0) * (squared * squared * grazing);
}

// Radiance towards `view` for irradiance 1 from `light`. The alpha of a mirror's highlight is that
// of kSmoothest.
vec3 reflected_light(Scattering s, vec3 normal, vec3 view, vec3 light) {
    float n_dot_l = dot(normal, light);
    float n_dot_v = max(dot(normal, view), 1e-4);
    vec3 half_vector = normalize(light + view);
    vec3 fresnel = fresnel_at(s, dot(view, half_vector));
    float alpha = max(s.alpha, kSmoothest);
    float specular = ggx_distribution(clamp(dot(normal, half_vector), 0.0, 1.0), alpha) *
                     ggx_visibility(n_dot_l, n_dot_v, alpha);
    return s.base * (1.0 - fresnel) / kGgxPi + fresnel * specular;
}

// The mirrored ray, never below the triangle: an interpolated normal may point there.
vec3 mirrored(vec3 direction, vec3 normal, vec3 face) {
    vec3 out_direction = reflect(direction, normal);
    float below = dot(out_direction, face);
    if (below <= 0.0) out_direction = normalize(out_direction + (1e-3 - below) * face);
    return out_direction;
}

// Where a ray begins that leaves a surface: moved off it along its normal by a few steps of the
// floating-point numbers there, so that rounding does not put it behind (Waechter and Binder, "A
// Fast and Robust Method for Avoiding Self-Intersection", Ray Tracing Gems, chapter 6, 2019).
vec3 off_surface(vec3 position, vec3 normal) {
    const float kSteps = 256.0;        // along an axis that the normal points along
    const float kNearZero = 1.0 / 32.0; // where steps get too small, a fixed length
    const float kFixed = 1.0 / 65536.0;
    ivec3 steps = ivec3(kSteps * normal);
    bvec3 negative = lessThan(position, vec3(0.0));
    vec3 moved = intBitsToFloat(floatBitsToInt(position) + mix(steps, -steps, negative));
    return mix(moved, position + kFixed * normal, lessThan(abs(position), vec3(kNearZero)));
}
