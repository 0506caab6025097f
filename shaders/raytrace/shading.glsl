// What kernels that shade paths share: how surfaces scatter light, where paths go on, and the state
// of the paths. passes/raytrace/wavefront.cpp binds it.
#ifndef RAYTRACE_SHADING
#define RAYTRACE_SHADING

#include "scene/ggx.glsl"
#include "paths.glsl"

// --- materials -----------------------------------------------------------------------------------
// Lambert's law below a GGX interface, glTF's metallic-roughness model. Directions point away from
// the surface, unit length.

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

// --- the next direction --------------------------------------------------------------------------

const float kMirrorAlpha = 1e-4; // smoother surfaces are mirrors

bool is_mirror(Scattering s) {
    return s.alpha < kMirrorAlpha;
}

float brightest(vec3 color) {
    return max(max(color.r, color.g), color.b);
}

// The probability with which the interface is chosen, not what is below.
float interface_share(Scattering s, float n_dot_v) {
    vec3 fresnel = fresnel_at(s, n_dot_v);
    float reflected = brightest(fresnel);
    float diffuse = brightest(s.base * (1.0 - fresnel));
    if (reflected <= 0.0) return 0.0;
    if (diffuse <= 0.0) return 1.0;
    return clamp(reflected / (reflected + diffuse), 0.1, 0.9);
}

// Radiance towards `view` for irradiance 1 from `light`, without what a mirror reflects.
vec3 scattered_light(Scattering s, vec3 normal, vec3 view, vec3 light) {
    if (!is_mirror(s)) {
        // The least alpha of `reflected_light` is for lights without size: here all have one.
        float n_dot_v = max(dot(normal, view), 1e-4);
        vec3 half_vector = normalize(light + view);
        vec3 fresnel = fresnel_at(s, dot(view, half_vector));
        float specular = ggx_distribution(clamp(dot(normal, half_vector), 0.0, 1.0), s.alpha) *
                         ggx_visibility(dot(normal, light), n_dot_v, s.alpha);
        return s.base * (1.0 - fresnel) / kGgxPi + fresnel * specular;
    }
    vec3 fresnel = fresnel_at(s, dot(view, normalize(light + view)));
    return s.base * (1.0 - fresnel) / kGgxPi;
}

// Density by solid angle with which `light` is chosen, where it is no mirrored direction.
float scattering_density(Scattering s, vec3 normal, vec3 view, vec3 light, float share) {
    float density = (1.0 - share) * max(dot(normal, light), 0.0) / kGgxPi;
    if (is_mirror(s) || share <= 0.0) return density;
    float n_dot_v = max(dot(normal, view), 1e-4);
    float n_dot_h = clamp(dot(normal, normalize(light + view)), 0.0, 1.0);
    float seen = 1.0 / (1.0 + ggx_lambda(n_dot_v, s.alpha));
    return density + share * seen * ggx_distribution(n_dot_h, s.alpha) / (4.0 * n_dot_v);
}

// By the cosine to z.
vec3 cosine_direction(vec2 u) {
    float radius = sqrt(u.x);
    float angle = 2.0 * kGgxPi * u.y;
    return vec3(radius * cos(angle), radius * sin(angle), sqrt(1.0 - u.x));
}

// A half vector about z by the microfacets that `view` sees (Heitz, "Sampling the GGX Distribution
// of Visible Normals", JCGT 7(4), 2018).
vec3 seen_half_vector(vec3 view, float alpha, vec2 u) {
    vec3 stretched = normalize(vec3(alpha * view.xy, view.z));
    float across = dot(stretched.xy, stretched.xy);
    vec3 x = across > 0.0 ? vec3(-stretched.y, stretched.x, 0.0) * inversesqrt(across)
                          : vec3(1.0, 0.0, 0.0);
    vec3 y = cross(stretched, x);
    float radius = sqrt(u.x);
    float angle = 2.0 * kGgxPi * u.y;
    float px = radius * cos(angle);
    float py = radius * sin(angle);
    float lit = 0.5 * (1.0 + stretched.z);
    py = mix(sqrt(max(1.0 - px * px, 0.0)), py, lit);
    vec3 on_disk = px * x + py * y + sqrt(max(1.0 - px * px - py * py, 0.0)) * stretched;
    return normalize(vec3(alpha * on_disk.xy, max(on_disk.z, 1e-6)));
}

struct Scattered {
    vec3 direction;
    vec3 weight; // of the radiance from there, over the density; 0: the path ends
    float density; // kCertain: mirrored
    float lobe;    // the angle over which directions like this one are spread; 0: mirrored
};

// The next direction of a path. `u.x` chooses between interface and base.
Scattered scatter(Scattering s, vec3 normal, vec3 face, vec3 view, vec3 u, float share) {
    Scattered next = Scattered(face, vec3(0.0), kCertain, 0.0);
    bool at_interface = u.x < share;
    if (at_interface && is_mirror(s)) {
        next.direction = mirrored(-view, normal, face);
        next.weight = fresnel_at(s, dot(normal, view)) / share;
        return next;
    }
    mat3 frame = frame_about(normal);
    if (at_interface) {
        vec3 local_view = view * frame;
        local_view.z = max(local_view.z, 1e-4);
        local_view = normalize(local_view);
        next.direction = frame * reflect(-local_view, seen_half_vector(local_view, s.alpha, u.yz));
        next.lobe = lobe_of(s.alpha);
    } else {
        next.direction = frame * cosine_direction(u.yz);
        next.lobe = kWidestLobe;
    }
    next.direction = normalize(next.direction);
    float n_dot_l = dot(normal, next.direction);
    if (n_dot_l <= 0.0 || dot(face, next.direction) <= 0.0) return next;
    next.density = scattering_density(s, normal, view, next.direction, share);
    if (next.density > 0.0)
        next.weight =
            scattered_light(s, normal, view, next.direction) * (n_dot_l / next.density);
    return next;
}

// --- the state of paths --------------------------------------------------------------------------

layout(constant_id = 21) const uint compacts = 0u; // 1: who goes on is written for a new queue

buffer Rays { uvec4 quads[]; } rays;
readonly buffer Hits { uvec4 quads[]; } hits;
buffer Paths { vec4 quads[]; } paths;
writeonly buffer ShadowRays { uvec4 quads[]; } shadow_rays;
writeonly buffer Alive { uint values[]; } alive; // a word an entry of the queue

Ray ray_at(uint slot) {
    uvec4 a = rays.quads[2u * slot];
    uvec4 b = rays.quads[2u * slot + 1u];
    return Ray(uintBitsToFloat(a.xyz), t_max_of(a.w), uintBitsToFloat(b.xyz), b.w);
}

// The cone of a ray that is not dead, where the ray begins.
Cone cone_at(uint slot) {
    return unpacked_cone(rays.quads[2u * slot].w);
}

Hit hit_at(uint slot) {
    uvec4 hit = hits.quads[slot];
    return Hit(uintBitsToFloat(hit.x), hit.y, uintBitsToFloat(hit.zw), kNoInstance);
}

Path path_at(uint slot) {
    vec4 a = paths.quads[2u * slot];
    vec4 b = paths.quads[2u * slot + 1u];
    return Path(a.xyz, a.w, b.xyz, b.w);
}

ShadowRay no_shadow_ray() {
    return ShadowRay(Ray(vec3(0.0), kDead, vec3(0.0), kNoTriangle), vec3(0.0));
}

Cone no_cone() {
    return Cone(0.0, 0.0);
}

Ray no_ray() {
    return Ray(vec3(0.0), kDead, vec3(0.0), kNoTriangle);
}

void store_shadow_ray(uint slot, ShadowRay shadow) {
    shadow_rays.quads[3u * slot] =
        uvec4(floatBitsToUint(shadow.ray.origin), floatBitsToUint(shadow.ray.t_max));
    if (is_dead(shadow.ray)) return;
    shadow_rays.quads[3u * slot + 1u] =
        uvec4(floatBitsToUint(shadow.ray.direction), shadow.ray.leaves);
    shadow_rays.quads[3u * slot + 2u] = uvec4(floatBitsToUint(shadow.light), 0u);
}

// A path that had ended before, or a slot without a pixel, stays so.
void store_dead(uint i, uint slot) {
    store_shadow_ray(slot, no_shadow_ray());
    if (compacts != 0u) alive.values[i] = 0u;
}

// Ends the work on entry `i` of the queue: the path goes on along `next`, or not if that is dead.
void store(uint i, uint slot, Path path, Ray next, Cone cone, ShadowRay shadow) {
    rays.quads[2u * slot] = uvec4(floatBitsToUint(next.origin), t_max_word(next, cone));
    rays.quads[2u * slot + 1u] = uvec4(floatBitsToUint(next.direction), next.leaves);
    paths.quads[2u * slot] = vec4(path.throughput, path.pdf);
    paths.quads[2u * slot + 1u] = vec4(path.radiance, path.travelled);
    store_shadow_ray(slot, shadow);
    if (compacts != 0u) alive.values[i] = is_dead(next) ? 0u : 1u;
}

#endif
