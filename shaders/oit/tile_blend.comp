#version 460
//! variants TEXTURE_ARRAY=0,1
#if TEXTURE_ARRAY
#extension GL_EXT_nonuniform_qualifier : require
#endif
// The transparent fragments of a tile of 16x16 pixels, found, sorted and blended in one go: nothing
// of them is ever in memory. An invocation has a pixel, and keeps its nearest fragments in order,
// kKeep of them; where there are more, the tile's triangles are gone through again behind those.

#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

uniform Params {
    mat4 view_projection;
    mat4 light_view_projection; // world to the shadow map's clip space
    vec4 eye;                   // w 1: position of the camera; w 0: direction towards it
    vec3 light_direction;       // unit, towards the light
    float light_texel;          // world units a texel of the shadow map covers
    vec3 light_irradiance;      // on a surface that faces the light
    float environment_rotation; // degrees
    vec3 environment_scale;     // multiplies the environment's radiance
    float roughness_scale;      // of all materials
    uint shadows;               // 1: the shadow map is looked at
    uint first_material; // of those whose textures are bound
    uint end_material;
    ivec4 texture_ids[3];
    uvec2 size; // of the picture
    uint bins_across;
    uint bin_capacity; // numbers of records that the bins have room for
    uvec4 modes[4]; // two bits a material: how it is blended
} params;

#include "blend.glsl"
#include "half_float.glsl"
#include "record.glsl"
#include "triangle_color.glsl"

layout(constant_id = 10) const uint kPacking = 0u; // of colours: 0 8 bits, 1 half floats
layout(constant_id = 11) const uint kKeep = 8u;
layout(constant_id = 12) const uint kBinned = 0u;  // 1: triangles come from bins
layout(constant_id = 13) const uint kShaded = 1u;  // 0: materials without light and textures
layout(constant_id = 14) const uint kModes = 0u;   // 1: not all materials are blended over

readonly buffer Records { uvec4 quads[]; } records;
readonly buffer Colors { uvec2 values[]; } colors;
readonly buffer Count { uint triangles; uint needed; uint bins; uint bin_room; } count;
readonly buffer Bins { uint values[]; } bins;             // records, bin by bin
readonly buffer BinStarts { uint values[]; } bin_starts;
uniform sampler2D background;
uniform sampler2D opaque_depth;
uniform writeonly image2D result;

const uint kThreads = 256u;
const int kTile = 16;
const uint kManyColors = 0x7fff7fffu;
const uint kBinTiles = 8u; // tiles a side of a bin
const uint kNothing = 0xffffffffu;

// The triangles of the tile that are being gone through: three edges and the depth.
shared ivec4 edge_values[kThreads];   // at the tile's first pixel; w: the triangle's number
shared ivec3 edge_right[kThreads];
shared ivec3 edge_down[kThreads];
shared vec3 depth_planes[kThreads]; // at the tile's first pixel, and what a pixel adds
shared uint staged;
shared uint unfinished;

uint kept_depth[kKeep];
uint kept_triangle[kKeep];

bool is_before(uint depth_a, uint a, uint depth_b, uint b) {
    return depth_a < depth_b || (depth_a == depth_b && a < b);
}

// Brings a record to the tile, unless it does not touch it.
void stage(uint number, ivec2 corner) {
    uint at = number * kRecordQuads;
    uvec4 third = records.quads[at + 2u];
    ivec2 first = ivec2(third.z & 0xffffu, third.z >> 16u);
    ivec2 last = ivec2(third.w & 0xffffu, third.w >> 16u);
    if (any(greaterThan(first, corner + kTile - 1)) || any(lessThan(last, corner))) return;
    uvec4 one = records.quads[at];
    uvec4 two = records.quads[at + 1u];
    ivec2 a = ivec2(one.xy);
    ivec2 b = ivec2(one.zw);
    ivec2 c = ivec2(two.xy);
    ivec3 ab = edge_at(a, b, corner);
    ivec3 bc = edge_at(b, c, corner);
    ivec3 ca = edge_at(c, a, corner);
    // Where an edge has the whole tile outside, nothing of the triangle is in it.
    ivec3 values = ivec3(ab.x, bc.x, ca.x);
    ivec3 right = ivec3(ab.y, bc.y, ca.y);
    ivec3 down = ivec3(ab.z, bc.z, ca.z);
    ivec3 most = values + (kTile - 1) * (max(right, 0) + max(down, 0));
    if (any(lessThan(most, ivec3(0)))) return;
    uint place = atomicAdd(staged, 1u);
    edge_values[place] = ivec4(values, two.z);
    edge_right[place] = right;
    edge_down[place] = down;
    vec2 slope = uintBitsToFloat(third.xy);
    vec2 from = (vec2(corner * kSubpixels - a) + 0.5 * float(kSubpixels)) / float(kSubpixels);
    depth_planes[place] = vec3(uintBitsToFloat(two.w) + dot(slope, from), slope);
}

vec4 as_stored(vec4 color) {
    color = mix(color, vec4(0.0), isnan(color));
    if (kPacking == 0u) return unpackUnorm4x8(packUnorm4x8(clamp(color, 0.0, 1.0)));
    color = clamp(color, vec4(0.0), vec4(vec3(65504.0), 1.0));
    return rounded_to_half(color);
}

vec4 color_of(uint triangle, uvec2 pixel) {
    uvec2 stored = colors.values[triangle];
    if (stored.y != kManyColors) {
        if (kPacking == 0u) return unpackUnorm4x8(stored.x);
        return vec4(unpackHalf2x16(stored.x), unpackHalf2x16(stored.y));
    }
    if (kShaded == 0u) return as_stored(tinted_color(triangle, pixel));
    return as_stored(triangle_color(triangle, pixel));
}

void main() {
    uint thread = gl_LocalInvocationIndex;
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * kTile;
    ivec2 place = ivec2(thread % uint(kTile), thread / uint(kTile));
    uvec2 pixel = uvec2(corner + place);
    bool inside = all(lessThan(pixel, params.size));
    uint nearest_opaque =
        inside ? floatBitsToUint(texelFetch(opaque_depth, ivec2(pixel), 0).r) : 0u;
    uint from = 0u;
    uint to = count.triangles;
    if (kBinned != 0u) {
        uvec2 bin = gl_WorkGroupID.xy / kBinTiles;
        uint number = bin.y * params.bins_across + bin.x;
        from = bin_starts.values[number];
        to = min(bin_starts.values[number + 1u], params.bin_capacity);
    }
    Under under = nothing_yet();
    uint last_depth = 0u;
    uint last_triangle = kNothing; // of no round yet
    bool done = !inside;
    bool again = true;
    while (again) {
        for (uint i = 0u; i < kKeep; ++i) {
            kept_depth[i] = kNothing;
            kept_triangle[i] = kNothing;
        }
        bool more = false;
        for (uint chunk = from; chunk < to; chunk += kThreads) {
            if (thread == 0u) staged = 0u;
            barrier();
            uint number = chunk + thread;
            if (number < to) stage(kBinned != 0u ? bins.values[number] : number, corner);
            barrier();
            uint in_tile = done ? 0u : staged;
            for (uint i = 0u; i < in_tile; ++i) {
                ivec4 values = edge_values[i];
                ivec3 here = values.xyz + place.x * edge_right[i] + place.y * edge_down[i];
                if ((here.x | here.y | here.z) < 0) continue;
                vec3 plane = depth_planes[i];
                float z = clamp(plane.x + plane.y * float(place.x) + plane.z * float(place.y),
                                0.0, 1.0);
                uint depth = floatBitsToUint(z);
                uint triangle = uint(values.w);
                if (depth >= nearest_opaque) continue;
                if (last_triangle != kNothing &&
                    !is_before(last_depth, last_triangle, depth, triangle))
                    continue;
                for (uint k = 0u; k < kKeep; ++k) {
                    if (!is_before(depth, triangle, kept_depth[k], kept_triangle[k])) continue;
                    uint other_depth = kept_depth[k];
                    uint other_triangle = kept_triangle[k];
                    kept_depth[k] = depth;
                    kept_triangle[k] = triangle;
                    depth = other_depth;
                    triangle = other_triangle;
                }
                more = more || triangle != kNothing;
            }
            barrier();
        }
        // The next one is always the first: indices stay constants, which keeps them in registers,
        // and the code that shades is there once.
        [[dont_unroll]] for (uint k = 0u; k < kKeep && kept_triangle[0] != kNothing; ++k) {
            last_depth = kept_depth[0];
            last_triangle = kept_triangle[0];
            for (uint i = 1u; i < kKeep; ++i) {
                kept_depth[i - 1u] = kept_depth[i];
                kept_triangle[i - 1u] = kept_triangle[i];
            }
            kept_triangle[kKeep - 1u] = kNothing;
            uint mode = kModes == 0u ? kModeOver : mode_of(material_of(last_triangle));
            blend_under(under, color_of(last_triangle, pixel), mode);
        }
        done = done || !more;
        if (thread == 0u) unfinished = 0u;
        barrier();
        if (!done) atomicOr(unfinished, 1u);
        barrier();
        again = unfinished != 0u;
        barrier();
    }
    if (inside)
        imageStore(result, ivec2(pixel),
                   put_under(under, texelFetch(background, ivec2(pixel), 0)));
}
