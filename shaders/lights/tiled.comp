#version 460
// Bounds of a tile, the lights that may reach what it shows, and what its pixels reflect of them, in
// one go: lists stay in shared memory. A group has a tile.

layout(local_size_x = 256) in;
layout(constant_id = 0) const uint side = 16u; // of a tile, pixels
layout(constant_id = 1) const uint test = 2u;  // kPixels counts as exact: pixels are tried anyway
layout(constant_id = 2) const uint split = 0u;
layout(constant_id = 3) const uint has_under = 0u;
layout(constant_id = 4) const uint has_hidden = 0u;
layout(constant_id = 5) const uint has_material = 0u;

#include "reflect.glsl"
#include "status.glsl"
#include "tile.glsl"

const uint kMaxPixelsEach = 4u; // of an invocation, where tiles have 32 x 32

readonly buffer Balls { vec4 values[]; } balls;
readonly buffer Cones { vec4 values[]; } cones;
readonly buffer Spheres { vec4 values[]; } spheres;
readonly buffer Shades { LightShade values[]; } shades;
uniform sampler2D depth;
uniform sampler2D normal;
uniform sampler2D albedo;
uniform sampler2D material; // roughness, metallic
uniform sampler2D under;    // light that is there already
uniform usampler2D hidden;  // of lights/shadows
uniform writeonly image2D result;

uniform Params {
    uint place_groups;
    uint count; // lights
    uint chunks;
    vec2 size; // of the picture, pixels
    vec2 scale;
    vec4 depth_terms;
    float perspective;
    mat4 world_from_view;
    float roughness;
    float metallic;
    vec3 ambient;
    vec4 background;
} params;

shared uint least; // bits of depths
shared uint greatest;
shared uint inner_least;    // beyond the middle
shared uint inner_greatest; // before it
shared uint slice_bits;
shared uint found[2u * kChunkWords];

Lens lens() {
    return Lens(params.size, params.scale, params.depth_terms, params.perspective);
}

uvec2 pixel_place(uint k) {
    uint i = gl_LocalInvocationID.x + 256u * k;
    return gl_WorkGroupID.xy * side + uvec2(i % side, i / side);
}

bool is_own(uint k) {
    return gl_LocalInvocationID.x + 256u * k < side * side &&
           all(lessThan(pixel_place(k), uvec2(params.size)));
}

// 1 where there is nothing, or nothing sensible.
float depth_at(uint k) {
    if (!is_own(k)) return 1.0;
    float value = texelFetch(depth, ivec2(pixel_place(k)), 0).x;
    return shows_something(value) ? value + 0.0 : 1.0;
}

vec4 find_bound(float values[kMaxPixelsEach]) {
    if (gl_LocalInvocationID.x == 0u) {
        least = kNoDepthBits;
        greatest = 0u;
        inner_least = kNoDepthBits;
        inner_greatest = 0u;
        slice_bits = 0u;
    }
    barrier();
    vec2 own = vec2(1.0, 0.0);
    for (uint k = 0u; k < kMaxPixelsEach; ++k)
        if (values[k] < 1.0) own = vec2(min(own.x, values[k]), max(own.y, values[k]));
    if (own.x < 1.0) {
        atomicMin(least, floatBitsToUint(own.x));
        atomicMax(greatest, floatBitsToUint(own.y));
    }
    barrier();
    float low = uintBitsToFloat(least);
    float high = uintBitsToFloat(greatest);
    float near = distance_of(low, params.depth_terms);
    float slices = slices_a_unit(near, distance_of(high, params.depth_terms));
    float middle = middle_depth(low, high, params.depth_terms);
    vec2 inner = vec2(1.0, 0.0);
    uint bits = 0u;
    for (uint k = 0u; k < kMaxPixelsEach; ++k) {
        if (values[k] >= 1.0) continue;
        if (values[k] > middle) inner.x = min(inner.x, values[k]);
        else inner.y = max(inner.y, values[k]);
        if (split == kMask)
            bits |= 1u << slice_of(distance_of(values[k], params.depth_terms), near, slices);
    }
    if (inner.x < 1.0) atomicMin(inner_least, floatBitsToUint(inner.x));
    if (own.x < 1.0) atomicMax(inner_greatest, floatBitsToUint(inner.y));
    if (bits != 0u) atomicOr(slice_bits, bits);
    barrier();
    return uintBitsToFloat(uvec4(least, inner_greatest, inner_least, greatest));
}

void try_light(uint k, uint i, vec4 bound, Cell cells[2], uint lists) {
    vec4 ball = balls.values[i];
    if (split == kMask && (slices_of(ball, bound, params.depth_terms) & slice_bits) == 0u) return;
    for (uint list = 0u; list < lists; ++list) {
        if (cells[list].near > cells[list].far || !meets(ball, cells[list], test)) continue;
        if (!cone_meets(cones.values[2u * i], cones.values[2u * i + 1u], cells[list])) continue;
        atomicOr(found[list * kChunkWords + k / 32u], 1u << (k % 32u));
    }
}

// What lights of the chunk add, in ascending order.
vec3 light_of_chunk(uint chunk, uint list, LitSurface surface, uint dark) {
    vec3 sum = vec3(0.0);
    for (uint w = 0u; w < kChunkWords; ++w)
        for (uint left = found[list * kChunkWords + w]; left != 0u; left &= left - 1u) {
            uint i = chunk * kChunk + 32u * w + uint(findLSB(left));
            vec4 sphere = spheres.values[i];
            if (!is_in_range(sphere, surface.position)) continue;
            if (i < 32u && (dark >> i & 1u) != 0u) continue;
            sum += reflected(sphere, shades.values[i], surface);
        }
    return sum;
}

LitSurface surface_at(ivec2 texel, float value) {
    Seen seen = seen_at(vec2(texel), params.size, value, params.scale, params.depth_terms,
                        params.perspective, params.world_from_view);
    vec2 kind = has_material != 0u ? texelFetch(material, texel, 0).xy
                                   : vec2(params.roughness, params.metallic);
    return lit_surface(seen.position, texelFetch(normal, texel, 0).xyz, seen.view,
                       texelFetch(albedo, texel, 0).rgb, kind.x, kind.y);
}

void store(ivec2 texel, float value, vec3 sum) {
    vec4 below = has_under != 0u ? texelFetch(under, texel, 0) : vec4(0.0);
    vec4 color = has_under != 0u ? below : params.background;
    if (value < 1.0)
        color = vec4(below.rgb + params.ambient * texelFetch(albedo, texel, 0).rgb + sum, 1.0);
    imageStore(result, texel, color);
}

void main() {
    write_status(params.place_groups);
    uint lane = gl_LocalInvocationID.x;
    uint lists = has_two_lists(split) ? 2u : 1u;
    float values[kMaxPixelsEach];
    for (uint k = 0u; k < kMaxPixelsEach; ++k)
        values[k] = depth_at(k);
    vec4 bound = find_bound(values);
    Window window = window_of(gl_WorkGroupID.xy, 1u, side, params.size);
    Cell cells[2] = Cell[2](list_cell(0u, split, bound, window, lens()),
                            list_cell(1u, split, bound, window, lens()));
    vec3 sums[kMaxPixelsEach];
    for (uint k = 0u; k < kMaxPixelsEach; ++k)
        sums[k] = vec3(0.0);
    for (uint chunk = 0u; chunk < params.chunks && bound.x < 1.0; ++chunk) {
        barrier();
        if (lane < 2u * kChunkWords) found[lane] = 0u;
        barrier();
        for (uint k = lane; k < kChunk; k += 256u)
            if (chunk * kChunk + k < params.count)
                try_light(k, chunk * kChunk + k, bound, cells, lists);
        barrier();
        for (uint k = 0u; k < kMaxPixelsEach; ++k) {
            if (values[k] >= 1.0) continue;
            ivec2 texel = ivec2(pixel_place(k));
            uint dark = has_hidden != 0u ? texelFetch(hidden, texel, 0).x : 0u;
            uint list = lists == 2u && values[k] > bound.y ? 1u : 0u;
            sums[k] += light_of_chunk(chunk, list, surface_at(texel, values[k]), dark);
        }
    }
    for (uint k = 0u; k < kMaxPixelsEach; ++k)
        if (is_own(k)) store(ivec2(pixel_place(k)), values[k], sums[k]);
}
