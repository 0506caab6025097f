#version 460
//! variants FORM=0,1,2
// Adds strands to what the light sees: at steps of at most a texel, as much optical depth as the
// strand's share of the texel's area. FORM 0 finds the least distances, 1 fills the layers behind
// them, 2 makes lists.

layout(local_size_x = 64) in;

#include "invocation.glsl"

readonly buffer Positions { vec4 values[]; } positions;
#if FORM == 0
buffer First { uint values[]; } first;
#elif FORM == 1
readonly buffer First { uint values[]; } first;
buffer Words { uint values[]; } words;
#else
buffer First { uint values[]; } first;
writeonly buffer Words { uint values[]; } words;
buffer Status { uint demand; uint lost; uint dropped; } status;
#endif

const float kWholeDepth = 1024.0;
const uint kMaxSteps = 256u; // of an edge

uniform Params {
    uint count; // strands
    uint vertices;
    mat4 light_from_world;
    uint side;
    uint layers;
    float thickness;
    float width;   // of a strand at its root, texels
    float tip;     // share of it that is left at the tip
    float opacity; // of a strand, as optical depth
    uint capacity;
} params;

void add(uint texel, float along, uint amount) {
#if FORM == 0
    atomicMin(first.values[texel], floatBitsToUint(along));
#elif FORM == 1
    float layer = (along - uintBitsToFloat(first.values[texel])) / params.thickness;
    uint at = uint(clamp(layer, 0.0, float(params.layers - 1u)));
    atomicAdd(words.values[texel * params.layers + at], amount);
#else
    uint node = atomicAdd(status.demand, 1u);
    if (node >= params.capacity) {
        atomicAdd(status.lost, 1u);
        return;
    }
    words.values[3u * node] = floatBitsToUint(along);
    words.values[3u * node + 1u] = amount;
    words.values[3u * node + 2u] = atomicExchange(first.values[texel], node);
#endif
}

void main() {
    uint edge = invocation_index();
    uint edges = params.vertices - 1u;
    if (edge >= params.count * edges) return;
    uint v = edge % edges;
    uint at = edge / edges * params.vertices + v;
    vec3 a = (params.light_from_world * vec4(positions.values[at].xyz, 1.0)).xyz;
    vec3 b = (params.light_from_world * vec4(positions.values[at + 1u].xyz, 1.0)).xyz;
    float size = distance(a.xy, b.xy);
    if (!(size < float(params.side) * 4.0)) return; // NaN, too
    uint steps = clamp(uint(ceil(max(size, 1e-3))), 1u, kMaxSteps);
    float width = params.width * mix(1.0, params.tip, float(v) / float(edges));
    // A strand that goes along the light has its width in both directions.
    float area = width * max(size, width) / float(steps);
    uint amount = uint(round(min(area * params.opacity, 64.0) * kWholeDepth));
    if (amount == 0u) return;
    for (uint i = 0u; i < steps; ++i) {
        vec3 place = mix(a, b, (float(i) + 0.5) / float(steps));
        ivec2 texel = ivec2(floor(place.xy));
        if (any(lessThan(texel, ivec2(0))) || any(greaterThanEqual(texel, ivec2(params.side)))) continue;
        if (!(place.z > 0.0)) continue;
        add(uint(texel.y) * params.side + uint(texel.x), place.z, amount);
    }
}
