#version 460
// Light through media along the ray of each texel. What begins and ends on it, spheres and faces of
// meshes, cuts the ray into segments of even media, whose integrals are known: Szecsi, Barta and
// Kovacs, "Volumetric Transparency with Per-Pixel Fragment Lists", GPU Pro 3, 2012.

layout(local_size_x = 8, local_size_y = 8) in;

layout(constant_id = 0) const uint kCapacity = 16u;  // of the list of spheres' ends
layout(constant_id = 1) const uint kDropsNew = 0u;   // 1: no room, no sphere; 0: goes on early
layout(constant_id = 2) const uint has_meshes = 0u;
layout(constant_id = 3) const uint has_near_state = 0u; // 0: the eye's media are those left over
layout(constant_id = 4) const uint kLights = 2u; // that may be shadowed
layout(constant_id = 5) const uint has_near_shadows = 0u; // 1: lights beyond the second are

uniform Params {
    vec3 eye;
    vec3 first;
    vec3 per_x;
    vec3 per_y;
    uvec2 size;
    uint spheres;
    uint tile;
    uint tiles_per_row;
    uint entries;
    float softness;
    float least_transmittance;
    uint fragment_room;
    vec3 even_light;
    vec3 lights[8];
    vec4 extinction[256];
    vec4 emission[256];
    vec4 scatter[256];
} params;

#include "fragment_lists.glsl"
#include "scene/environment.glsl"
#include "scene/scene_color.glsl"
#include "lists.glsl"
#include "media.glsl"
#include "phi.glsl"
#include "view.glsl"
#include "spheres.glsl"

uniform sampler2D opaque; // colour and distance
uniform sampler2D near_extinction; // fourth: how many media
uniform sampler2D near_emission;   // fourth: shadows of the first light
uniform sampler2D near_scatter;    // and of the second
uniform sampler2D near_shadows;    // of all others: shaders/volume/capture_near.glsl
readonly buffer Heads { uint values[]; } heads; // of lists of faces, sorted
readonly buffer Fragments { uint words[]; } fragments;
writeonly uniform image2D result;
writeonly uniform image2D transmittance;
#include "status.glsl"

// --- the ray -------------------------------------------------------------------------------------

vec3 light = vec3(0.0);
vec3 through = vec3(1.0); // transmittance so far
float reached = 0.0;

vec3 extinction = vec3(0.0); // of the media here, per length
vec3 emission = vec3(0.0);
vec3 scatter = vec3(0.0);
int inside = 0;             // how many media
int shadows[kLights];       // of each light
vec3 irradiance = vec3(0.0);

void see_lights() {
    irradiance = params.even_light;
    for (uint i = 0u; i < kLights; ++i)
        if (shadows[i] <= 0) irradiance += params.lights[i];
}

void integrate(float to) {
    float distance = to - reached;
    if (!(distance > 0.0)) return;
    reached = to;
    if (inside <= 0) return;
    vec3 depth = max(extinction, vec3(0.0)) * distance;
    vec3 fade = exp(-depth);
    vec3 source = max(emission + scatter * irradiance, vec3(0.0));
    light += through * source * (distance * mean_fade(depth, fade));
    through *= fade;
}

void change(vec3 by_extinction, vec3 by_emission, vec3 by_scatter, int media) {
    inside += media;
    extinction += by_extinction;
    emission += by_emission;
    scatter += by_scatter;
}

// Where there is no medium, what rounding leaves is not there. Not to be asked while the sum at the
// eye is made: there a count of 0 may stand for one medium that is left and another entered.
void drop_rounding() {
    if (inside == 0) extinction = emission = scatter = vec3(0.0);
}

// --- faces of meshes -----------------------------------------------------------------------------

uint fragment = 0u;
uint fragments_end = 0u;

void cross_face(uint word, int sign) {
    uint medium = min(word >> 1, kMaxMedia - 1u);
    int by = (word & 1u) == 0u ? sign : -sign;
    int kind = kind_of(params.scatter[medium]);
    if (kind != kMedium) {
        for (uint i = 0u; i < kLights; ++i) // no array by a number: it would leave the registers
            shadows[i] += int(i) == kind - 1 ? by : 0;
        see_lights();
        return;
    }
    float factor = float(by);
    change(factor * params.extinction[medium].rgb, factor * params.emission[medium].rgb,
           factor * params.scatter[medium].rgb, by);
}

float next_face() {
    return has_meshes != 0u && fragment < fragments_end
               ? uintBitsToFloat(fragments.words[kFaceWords * fragment])
               : kFarthest;
}

void pass_face() {
    light += through * unpack_shared(fragments.words[kFaceWords * fragment + 2u]);
    cross_face(fragments.words[kFaceWords * fragment + 1u], 1);
    drop_rounding();
    ++fragment;
}

void begin_at_eye(ivec2 texel) {
    if (has_meshes == 0u) return;
    uint pixel = uint(texel.y) * params.size.x + uint(texel.x);
    uint first = heads.values[pixel];
    uint end = heads.values[pixel + 1u];
    uvec2 list = whole_list(first, end, params.fragment_room);
    fragment = list.x;
    fragments_end = list.y;
    if (first != end && list.x == list.y) {
        // Some of them would be without the other face of their mesh: none takes part, nor do those
        // that the eye is in, which would never end.
        atomicAdd(status.pixels_without_room, 1u);
        return;
    }
    if (has_near_state != 0u) {
        vec4 a = texelFetch(near_extinction, texel, 0);
        vec4 b = texelFetch(near_emission, texel, 0);
        vec4 c = texelFetch(near_scatter, texel, 0);
        shadows[0] = int(round(b.w));
        shadows[1] = int(round(c.w));
        if (has_near_shadows != 0u) {
            vec4 d = texelFetch(near_shadows, texel, 0);
            vec4 second = round(d / kSecondCount);
            vec4 first = round(d - kSecondCount * second);
            for (uint i = 2u; i < kLights; ++i)
                shadows[i] = int(i < 6u ? first[i - 2u] : second[i - 6u]);
        }
        change(a.rgb, b.rgb, c.rgb, int(round(a.w)));
    } else {
        // Every face of every mesh is in the list: what is left over is where the eye is.
        for (uint i = fragment; i < fragments_end; ++i)
            cross_face(fragments.words[kFaceWords * i + 1u], -1);
    }
    drop_rounding();
    bool odd = inside < 0;
    int bodies = inside;
    for (uint i = 0u; i < kLights; ++i) {
        odd = odd || shadows[i] < 0;
        bodies += shadows[i];
    }
    if (odd) atomicAdd(status.odd_pixels, 1u);
    uint around = uint(max(bodies, 0));
    if (around > status.most_inside) atomicMax(status.most_inside, around);
    if (around < status.fewest_inside) atomicMin(status.fewest_inside, around);
}

// --- ends of spheres -----------------------------------------------------------------------------

// The nearest is the last. A sphere's number, and in the lowest bit whether the ray leaves it.
float ends[kCapacity];
uint whose[kCapacity];
float shares[kCapacity];
uint count = 0u;

void cross_sphere(uint word, float share) {
    uint sphere = word >> 1;
    float factor = (word & 1u) == 0u ? share : -share;
    change(factor * optics.values[3u * sphere].rgb, factor * optics.values[3u * sphere + 1u].rgb,
           factor * optics.values[3u * sphere + 2u].rgb, (word & 1u) == 0u ? 1 : -1);
}

void pass_end() {
    --count;
    integrate(max(ends[count], reached));
    cross_sphere(whose[count], shares[count]);
    drop_rounding();
}

bool is_dark() {
    return max(through.r, max(through.g, through.b)) < params.least_transmittance;
}

// All that happens up to `zone`: nothing that is still to come begins before.
void advance(float zone) {
    for (;;) {
        float face = next_face();
        float end = count > 0u ? ends[count - 1u] : kFarthest;
        if (!(min(face, end) <= zone) || is_dark()) return;
        if (face <= end) {
            if (face == kFarthest) return;
            integrate(face);
            pass_face();
        } else {
            pass_end();
        }
    }
}

void insert(float at, uint word, float share) {
    uint i = count;
    for (; i > 0u && ends[i - 1u] <= at; --i) {
        ends[i] = ends[i - 1u];
        whose[i] = whose[i - 1u];
        shares[i] = shares[i - 1u];
    }
    ends[i] = at;
    whose[i] = word;
    shares[i] = share;
    ++count;
}

// Room for one more: a record that is not known to be the next goes out early, and a face that lies
// before it with it.
void make_room() {
    if (count < kCapacity) return;
    atomicAdd(status.list_overflows, 1u);
    advance(ends[count - 1u]);
    if (count == kCapacity) pass_end();
}

void meet_sphere(uint sphere, vec3 direction, float far) {
    Chord chord = chord_of(sphere, params.eye, direction, params.softness);
    float enters = max(chord.enters, reached);
    float leaves = min(chord.leaves, far);
    if (!(leaves > enters)) return;
    uint needed = chord.enters <= reached ? 1u : 2u;
    if (kDropsNew != 0u && count + needed > kCapacity) {
        atomicAdd(status.list_overflows, 1u);
        return;
    }
    if (needed == 1u) {
        cross_sphere(2u * sphere, chord.share); // the eye is in it
    } else {
        make_room();
        insert(enters, 2u * sphere, chord.share);
    }
    make_room();
    insert(max(leaves, reached), 2u * sphere + 1u, chord.share);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(texel), params.size))) return;
    vec3 direction = ray_through(vec2(texel) + 0.5, params.first, params.per_x, params.per_y);
    vec4 behind = texelFetch(opaque, texel, 0);
    float far = opaque_distance(behind.a);

    for (uint i = 0u; i < kLights; ++i)
        shadows[i] = 0;
    begin_at_eye(texel);
    see_lights();
    SphereList list = spheres_of(uvec2(texel));
    uint longest = 0u;
    for (uint i = 0u; i < list.count; ++i) {
        uint sphere = sphere_of(list, i);
        float zone = nearest.values[sphere];
        if (zone >= far) break; // all that are left lie behind what is opaque
        advance(zone);
        if (is_dark()) break;
        meet_sphere(sphere, direction, far);
        longest = max(longest, count);
    }
    advance(far);
    if (!is_dark() && far < kFarthest) integrate(far);
    if (longest > status.longest_list) atomicMax(status.longest_list, longest);

    vec3 color = light + through * usable_color(behind.rgb);
    imageStore(result, texel, vec4(color, 1.0));
    imageStore(transmittance, texel, vec4(through, 1.0));
}
