#version 460
//! vertex oit/corner
//! variants EACH_SAMPLE=0,1
// Keeps the fragments of transparent surfaces: one for all samples of a pixel that a triangle covers,
// or one for each sample.
//
// Opaque surfaces before it are tested against first, so that what they hide is
// neither shaded nor kept.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require

layout(early_fragment_tests) in;

// What the passes that capture fragments are told about their lists.
layout(push_constant) uniform Lists {
    uvec2 origin;   // of the rectangle that is captured, in pixels
    uvec2 size;     // of the rectangle
    uint capacity;  // fragments that there is room for
    vec2 depths;    // scale and bias: where the depths that occur come to lie in [0, 1]
    uvec4 modes[4]; // two bits a material: how it is blended
} lists;

const uint kMaxModes = 256u; // materials; those beyond are blended over what lies behind

#include "fragment.glsl"
#include "scene/mesh_shading.glsl"

layout(location = 7) flat in uint triangle;

// What it does: appends nodes to lists, where neither is 1;
layout(constant_id = 13) const uint kCounts = 0u; // counts fragments: heads are counts;
layout(constant_id = 15) const uint has_offsets = 0u; // writes fragments to their places: cursors
                                                      // count down to 0

buffer Heads { uint values[]; } heads;
readonly buffer Offsets { uint values[]; } offsets;
writeonly buffer Fragments { uint words[]; } fragments;
// How many there are, how many of them found no room, and how many were no numbers.
buffer Status { uint demand; uint lost; uint dropped; } status;

// 1: one atomic operation counts for all invocations of a subgroup. SwiftShader does not tell
// invocations that an early depth test has ended from others: counting for the rest, these count
// nothing. There each counts for itself, which is no slower on a CPU.
layout(constant_id = 14) const uint kAggregates = 0u;

// Numbers of nodes for all invocations that call it together.
uint new_node() {
    if (kAggregates == 0u) return atomicAdd(status.demand, 1u);
    uvec4 callers = subgroupBallot(true);
    uint first = 0u;
    if (subgroupElect()) first = atomicAdd(status.demand, subgroupBallotBitCount(callers));
    return subgroupBroadcastFirst(first) + subgroupBallotExclusiveBitCount(callers);
}

void store(uint node, uvec4 words) {
    uint at = node * kStride;
    fragments.words[at] = words.x;
    fragments.words[at + 1u] = words.y;
    if (kWords > 2u) fragments.words[at + 2u] = words.z;
    if (kWords > 3u) fragments.words[at + 3u] = words.w;
}

void append(uint pixel, Fragment f) {
    uint node = new_node();
    // The list is left alone where there is no room: a node that does not exist would break it.
    if (node >= lists.capacity) {
        atomicAdd(status.lost, 1u);
        return;
    }
    uint next = atomicExchange(heads.values[pixel], node);
    uvec4 words = packed(f);
    if (kPayload == kTight) words.y |= (next == kNoNode ? kNoTightNode : next) << 8u;
    store(node, words);
    if (kPayload != kTight) fragments.words[node * kStride + kWords] = next;
}

void fill(uint pixel, Fragment f) {
    uint left = atomicAdd(heads.values[pixel], 0xffffffffu);
    uint node = place_of_fragment(offsets.values[pixel], left);
    if (node < lists.capacity) store(node, packed(f));
    else atomicAdd(status.lost, 1u);
}

// The numbers of a colour that may be blended: no NaN, alpha in [0, 1], colours that are not
// negative and fit their format.
vec4 usable(vec4 color) {
    color = mix(color, vec4(0.0), isnan(color));
    return vec4(clamp(color.rgb, 0.0, kPayload == kHdr ? 65504.0 : 1.0), clamp(color.a, 0.0, 1.0));
}

uint mode_of(uint material) {
    if (material >= kMaxModes) return 0u;
    return (lists.modes[material / 64u][material / 16u % 4u] >> (2u * (material % 16u))) & 3u;
}

void main() {
#if EACH_SAMPLE
    uint samples = 1u << uint(gl_SampleID);
#else
    uint samples = uint(gl_SampleMaskIn[0]) & kAllSamples;
#endif
    vec4 color = vec4(0.0);
    if (kCounts == 0u) color = shaded_surface(); // needs its neighbours: comes first
    if (kAggregates != 0u) { // who counts for others must be able to: helpers cannot
        if (gl_HelperInvocation) return;
    }
    uvec2 place = uvec2(gl_FragCoord.xy) - lists.origin; // the scissor is the rectangle
    float depth = gl_FragCoord.z;
    if (isnan(depth)) {
        atomicAdd(status.dropped, 1u);
        return;
    }
    uint pixel = place.y * lists.size.x + place.x;
    if (kCounts != 0u) {
        atomicAdd(heads.values[pixel], 1u);
        return;
    }
    Fragment f;
    f.color = usable(color);
    f.depth = clamp(depth * lists.depths.x + lists.depths.y, 0.0, 1.0);
    f.triangle = triangle;
    f.samples = samples;
    f.mode = mode_of(material_index);
    if (has_offsets != 0u) fill(pixel, f);
    else append(pixel, f);
}
