// Keeps a fragment of a strand in the lists of its pixel, in the form "hdr" of fragment_lists.glsl.
#ifndef HAIR_APPEND
#define HAIR_APPEND

const uint kNoNode = 0xffffffffu;
const uint kFragmentWords = 5u;

buffer Heads { uint values[]; } heads;
writeonly buffer Fragments { uint words[]; } fragments;
buffer Status { uint demand; uint lost; uint dropped; } status;

void append(uint pixel, vec4 color, float depth, uint edge, uint capacity) {
    uint node = atomicAdd(status.demand, 1u);
    if (node >= capacity) {
        atomicAdd(status.lost, 1u);
        return;
    }
    uint next = atomicExchange(heads.values[pixel], node);
    uint at = node * kFragmentWords;
    vec3 light = clamp(color.rgb, 0.0, 65504.0);
    fragments.words[at] = packHalf2x16(light.rg);
    fragments.words[at + 1u] = packHalf2x16(vec2(light.b, clamp(color.a, 0.0, 1.0)));
    fragments.words[at + 2u] = floatBitsToUint(clamp(depth, 0.0, 1.0)) << 2u; // blended over
    fragments.words[at + 3u] = (edge & 0xffffffu) << 8u | 1u;
    fragments.words[at + 4u] = next;
}

#endif
