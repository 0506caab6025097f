#version 460
//! variants TEXTURE_ARRAY=0,1
#if TEXTURE_ARRAY
#extension GL_EXT_nonuniform_qualifier : require
#endif
// One bounce of light: what a path has hit adds its emission, a light that may reach it, and a new
// direction.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "scene/environment.glsl"
#include "hash.glsl"
#include "shading.glsl"

uniform Params {
    uint slots;
    uint first_material;
    uint end_material;
    uint bounce;
    uint last_bounce; // the last of all
    uint bounces;     // the last that tries lights and scatters; those behind it only look through
    uint show_environment; // 1: behind the scene
    ivec4 texture_ids[3];
    vec3 sun_direction; // unit, towards its middle
    float roughness_scale;
    vec3 sun_irradiance;
    float specular;
    vec3 environment_scale;
    float environment_rotation; // degrees
    vec3 background;
    uint shadows;       // 1: lights are tried for shadows
    uint sample_offset; // number of this sample in the execution
    float sun_radius;   // tangent of half the angle that it covers
    uint roulette_from; // bounce from which paths may end early
    float limit;        // most that indirect light of one path may add; 0: any
    uint emitter_offset; // of their sums
    uint emitter_triangles;
    uint cones; // kCones...
} params;

layout(constant_id = 0) const uint lit_by_map = 0u; // 1: bright directions are looked up

#include "raytrace/surface.glsl"

// Choosing directions by how bright the surroundings are there: cells of the panorama, equal steps
// of longitude and latitude, with the sums of their weights up to and with each.
// Directions are those of the map, see `environment_direction`.
layout(constant_id = 2) const uint has_environment_sums = 0u;
readonly buffer EnvironmentSums { float values[]; } environment_sums;

const uint kTableWidth = 256u; // as in passes/raytrace/environment_table.cpp
const uint kTableHeight = 128u;
const uint kTableCells = kTableWidth * kTableHeight;

float table_total() {
    return environment_sums.values[kTableCells - 1u];
}

// Density by solid angle of what `table_direction` gives. It need not be where a table that is all
// black has no total.
float table_density(vec3 direction) {
    vec2 uv = panorama_uv(direction);
    uvec2 cell = min(uvec2(uv * vec2(kTableWidth, kTableHeight)),
                     uvec2(kTableWidth - 1u, kTableHeight - 1u));
    uint i = cell.y * kTableWidth + cell.x;
    float below = i > 0u ? environment_sums.values[i - 1u] : 0.0;
    float share = (environment_sums.values[i] - below) / table_total();
    float across = max(sin(uv.y * kEnvironmentPi), 1e-6);
    return share * float(kTableCells) / (2.0 * kEnvironmentPi * kEnvironmentPi * across);
}

vec3 table_direction(vec3 u) {
    float wanted = u.x * table_total();
    uint first = 0u;
    uint end = kTableCells - 1u;
    while (first < end) { // the first cell whose sum is more
        uint middle = (first + end) / 2u;
        if (environment_sums.values[middle] > wanted)
            end = middle;
        else
            first = middle + 1u;
    }
    vec2 cell = vec2(first % kTableWidth, first / kTableWidth);
    return panorama_direction((cell + u.yz) / vec2(kTableWidth, kTableHeight));
}

// Choosing points on emitting triangles by how much light each gives: sums of weights up to and with
// each triangle, behind those of the surroundings.
layout(constant_id = 1) const uint lit_by_emitters = 0u; // 1: there are some

float emitter_sum(uint triangle) {
    return environment_sums.values[params.emitter_offset + triangle];
}

float emitter_total() {
    return emitter_sum(params.emitter_triangles - 1u);
}

// The share of the points chosen that lie on a triangle.
float emitter_chance(uint triangle) {
    float below = triangle > 0u ? emitter_sum(triangle - 1u) : 0.0;
    return (emitter_sum(triangle) - below) / emitter_total();
}

struct Placed {
    vec3 a;
    vec3 b;
    vec3 c;
};

Placed placed_triangle(uint triangle) {
    uint draw = owners.values[triangle];
    uint first = draws.elements[draw].first_index + 3u * (triangle - starts.values[draw].y);
    int offset = draws.elements[draw].vertex_offset;
    mat4 world = transforms.elements[draws.elements[draw].transform].world;
    vec3 corners[3];
    for (uint i = 0u; i < 3u; ++i) {
        uint vertex = uint(int(scene_indices.values[first + i]) + offset);
        corners[i] = (world * vec4(vertices.elements[vertex].position, 1.0)).xyz;
    }
    return Placed(corners[0], corners[1], corners[2]);
}

// Density by solid angle, as seen from the other end of `to`, of a point that was chosen on a
// triangle; 0 where such points cannot be chosen. `to` ends at the point.
float emitter_density(uint triangle, vec3 to) {
    Placed corners = placed_triangle(triangle);
    vec3 area = 0.5 * cross(corners.b - corners.a, corners.c - corners.a);
    // The cosine at the emitter times its area: both of its sides shine.
    float seen = abs(dot(area, to)) / max(length(to), 1e-30);
    return seen > 0.0 ? emitter_chance(triangle) * dot(to, to) / seen : 0.0;
}

struct EmitterPoint {
    uint triangle;
    vec3 position;
    vec3 radiance;
};

EmitterPoint emitter_point(vec3 u) {
    float wanted = u.x * emitter_total();
    uint first = 0u;
    uint end = params.emitter_triangles - 1u;
    while (first < end) { // the first triangle whose sum is more
        uint middle = first + (end - first) / 2u;
        if (emitter_sum(middle) > wanted)
            end = middle;
        else
            first = middle + 1u;
    }
    Placed corners = placed_triangle(first);
    float root = sqrt(u.y); // evenly over the triangle
    EmitterPoint point;
    point.triangle = first;
    point.position = (1.0 - root) * corners.a + root * (1.0 - u.z) * corners.b +
                     root * u.z * corners.c;
    uint quad = kMaterialQuads * draws.elements[owners.values[first]].material;
    point.radiance = uintBitsToFloat(materials.quads[quad + 1u].xyz);
    return point;
}

uniform sampler2D panorama;

vec3 radiance_from(vec3 map_direction) {
    return params.environment_scale * environment_background(panorama, map_direction);
}

bool has_sun() {
    return any(greaterThan(params.sun_irradiance, vec3(0.0)));
}
bool has_table() {
    return has_environment_sums != 0u && lit_by_map != 0u && table_total() > 0.0 &&
           any(greaterThan(params.environment_scale, vec3(0.0)));
}
bool has_emitters() {
    return has_environment_sums != 0u && lit_by_emitters != 0u && params.shadows != 0u &&
           emitter_total() > 0.0;
}

// Kinds of light that are tried, each by as many shadow rays. Emitters are not where no scattered ray
// will be: how often light is scattered does not depend on how it is found.
uint lights_tried(bool last) {
    return uint(has_table()) + uint(has_sun()) + uint(!last && has_emitters());
}

// The share of shadow rays that go to the surroundings, and to emitters.
float table_share(bool last) {
    return has_table() ? 1.0 / float(lights_tried(last)) : 0.0;
}
float emitter_share(bool last) {
    return !last && has_emitters() ? 1.0 / float(lights_tried(last)) : 0.0;
}

// Which light is tried: each by every second or third sample. The first is left to chance.
float light_choice(uint slot, uint sample_index, uint use, bool last) {
    float first = random_numbers(slot, 0u, use + kUseLobe).y;
    uint lights = max(lights_tried(last), 1u);
    return fract(first + float(sample_index % lights) / float(lights));
}

// Of a light that two strategies find, the weight of the first (power heuristic; Veach and Guibas,
// "Optimally Combining Sampling Techniques for Monte Carlo Rendering", SIGGRAPH 1995).
float heuristic(float density, float other) {
    float squared = density * density;
    return squared / (squared + other * other);
}

// Bright paths that are hardly ever found would stay as single bright pixels.
vec3 limited(vec3 light) {
    float most = brightest(light);
    if (params.limit <= 0.0 || params.bounce == 0u || most <= params.limit) return light;
    return light * (params.limit / most);
}

vec3 seen_behind(Path path, vec3 direction) {
    if (params.bounce == 0u && params.show_environment == 0u) return params.background;
    vec3 along = environment_direction(direction, params.environment_rotation);
    float weight = 1.0;
    if (path.pdf != kCertain && has_table() && params.shadows != 0u)
        weight = heuristic(path.pdf, table_share(false) * table_density(along));
    return weight * radiance_from(along);
}

// The surroundings that a path would see which ends where it passes through something: shadow rays
// leave their share of that light to scattered ones.
ShadowRay to_what_is_behind(Path path, Ray onward) {
    vec3 light = limited(path.throughput * seen_behind(path, onward.direction));
    if (params.shadows == 0u || !(brightest(light) > 0.0)) return no_shadow_ray();
    return ShadowRay(onward, light);
}

ShadowRay to_sun(Surface surface, Scattering s, vec3 view, vec2 u) {
    ShadowRay shadow = no_shadow_ray();
    mat3 frame = frame_about(params.sun_direction);
    float radius = params.sun_radius * sqrt(u.x);
    float angle = 2.0 * kGgxPi * u.y;
    vec3 light = normalize(params.sun_direction +
                           radius * (cos(angle) * frame[0] + sin(angle) * frame[1]));
    float n_dot_l = dot(surface.normal, light);
    if (n_dot_l <= 0.0 || dot(surface.face, light) <= 0.0) return shadow;
    shadow.light =
        params.sun_irradiance * n_dot_l * reflected_light(s, surface.normal, view, light);
    shadow.ray = Ray(vec3(0.0), kFar, light, kNoTriangle);
    return shadow;
}

// A direction by how bright the surroundings are there. Where the path ends here, no scattered ray
// will find the same light, and it counts in full.
ShadowRay to_surroundings(Surface surface, Scattering s, vec3 view, vec3 u, float interface_part) {
    ShadowRay shadow = no_shadow_ray();
    vec3 along = table_direction(u);
    vec3 light = environment_direction(along, -params.environment_rotation);
    float n_dot_l = dot(surface.normal, light);
    bool last = params.bounce >= params.bounces;
    float density = table_share(last) * table_density(along);
    if (n_dot_l <= 0.0 || dot(surface.face, light) <= 0.0 || density <= 0.0) return shadow;
    float weight = 1.0;
    if (!last)
        weight = heuristic(
            density, scattering_density(s, surface.normal, view, light, interface_part));
    shadow.light = radiance_from(along) * scattered_light(s, surface.normal, view, light) *
                   (n_dot_l * weight / density);
    shadow.ray = Ray(vec3(0.0), kFar, light, kNoTriangle);
    return shadow;
}

// What of an emitter's light counts that a ray has found by being scattered: points on emitters are
// chosen, too.
float found_weight(Path path, Ray ray, Hit hit) {
    if (path.pdf == kCertain || is_shape(hit) || !has_emitters()) return 1.0;
    return heuristic(path.pdf, emitter_share(false) *
                                   emitter_density(hit.triangle,
                                                   (path.travelled + hit.t) * ray.direction));
}

// A point on an emitter by how much light that gives. The ray ends just before.
ShadowRay to_emitter(Surface surface, Scattering s, vec3 view, vec3 u, float interface_part,
                     vec3 origin) {
    ShadowRay shadow = no_shadow_ray();
    EmitterPoint point = emitter_point(u);
    vec3 to = point.position - origin;
    vec3 light = normalize(to);
    float n_dot_l = dot(surface.normal, light);
    float density = emitter_share(false) * emitter_density(point.triangle, to);
    if (n_dot_l <= 0.0 || dot(surface.face, light) <= 0.0 || !(density > 0.0)) return shadow;
    float weight = heuristic(
        density, scattering_density(s, surface.normal, view, light, interface_part));
    shadow.light = point.radiance * scattered_light(s, surface.normal, view, light) *
                   (n_dot_l * weight / density);
    shadow.ray = Ray(vec3(0.0), 1.0 - 1e-4, to, kNoTriangle);
    return shadow;
}

void main() {
    uint i = invocation_index();
    uint slot = slot_at(i, params.slots);
    if (slot == kNoPath) return;
    Ray ray = ray_at(slot);
    bool first_pass = params.first_material == 0u; // does what belongs to no material
    if (is_dead(ray)) {
        if (first_pass) store_dead(i, slot);
        return;
    }
    Hit hit = hit_at(slot);
    Path path = path_at(slot);
    if (hit.triangle == kNoTriangle) {
        if (!first_pass) return;
        path.radiance += limited(path.throughput * seen_behind(path, ray.direction));
        store(i, slot, path, no_ray(), no_cone(), no_shadow_ray());
        return;
    }
    uint material = material_at(hit, slot, params.slots);
    if (material < params.first_material || material >= params.end_material) return;

    uint sample_index = frame.samples + params.sample_offset;
    uint use = kFirstBounce + kUsesPerBounce * params.bounce;
    vec3 choices = random_numbers(slot, sample_index, use + kUseLobe);
    Cone cone = cone_after(cone_at(slot), hit.t);
    Surface surface = surface_of_hit(hit, slot, params.slots, ray.direction, cone.width,
                                     params.texture_ids);
    bool last = params.bounce >= params.bounces;
    if (choices.x >= coverage(surface)) {
        path.travelled += hit.t;
        Ray onward = Ray(off_surface(surface.position, -surface.face), kFar, ray.direction,
                         hit.triangle);
        ShadowRay behind = no_shadow_ray();
        if (params.bounce >= params.last_bounce) {
            behind = to_what_is_behind(path, onward);
            onward = no_ray();
        }
        store(i, slot, path, onward, cone, behind);
        return;
    }
    if ((surface.flags & kMaterialUnlit) != 0u) {
        path.radiance += limited(path.throughput * surface.base_color.rgb);
        store(i, slot, path, no_ray(), no_cone(), no_shadow_ray());
        return;
    }
    if (any(greaterThan(surface.emissive, vec3(0.0))))
        path.radiance +=
            limited(found_weight(path, ray, hit) * path.throughput * surface.emissive);
    if (params.bounce > params.bounces) {
        store(i, slot, path, no_ray(), no_cone(), no_shadow_ray());
        return;
    }

    vec3 view = -ray.direction;
    Scattering s = scattering_of(surface.base_color.rgb, surface.metallic,
                                 surface.roughness * params.roughness_scale, params.specular);
    float share = interface_share(s, dot(surface.normal, view));
    vec3 origin = off_surface(surface.position, surface.face);

    ShadowRay shadow = no_shadow_ray();
    vec3 light_numbers = random_numbers(slot, sample_index, use + kUseLight);
    float choice = light_choice(slot, sample_index, use, last);
    float map_or_emitter = table_share(last) + emitter_share(last);
    if (choice < table_share(last)) {
        shadow = to_surroundings(surface, s, view, light_numbers, share);
    } else if (choice < map_or_emitter) {
        shadow = to_emitter(surface, s, view, light_numbers, share, origin);
    } else if (has_sun()) {
        shadow = to_sun(surface, s, view, light_numbers.xy);
        shadow.light /= 1.0 - map_or_emitter;
    }
    shadow.light = limited(path.throughput * shadow.light);
    shadow.ray.origin = origin;
    shadow.ray.leaves = hit.triangle;
    if (!(brightest(shadow.light) > 0.0)) shadow = no_shadow_ray();
    if (params.shadows == 0u && !is_dead(shadow.ray)) {
        path.radiance += shadow.light;
        shadow = no_shadow_ray();
    }

    Ray next = no_ray();
    if (!last) {
        vec3 u = random_numbers(slot, sample_index, use + kUseScatter);
        Scattered scattered = scatter(s, surface.normal, surface.face, view, u, share);
        path.throughput *= scattered.weight;
        path.pdf = scattered.density;
        path.travelled = 0.0;
        float goes_on = 1.0;
        if (params.bounce >= params.roulette_from)
            goes_on = clamp(brightest(path.throughput), 0.05, 1.0);
        if (brightest(path.throughput) > 0.0 && choices.z < goes_on) {
            path.throughput /= goes_on;
            next = Ray(origin, kFar, scattered.direction, hit.triangle);
            // All samples together cover the lobe: each stands for a smaller part of it.
            float lobe = scattered.lobe * inversesqrt(float(sample_index) + 1.0);
            cone = reflected_cone(cone, surface.curvature,
                                   dot(surface.face, ray.direction), lobe, params.cones);
        }
    }
    store(i, slot, path, next, cone, shadow);
}
