// What takes the fragments of a triangle. Before it: geometry/params.glsl, and
// `void store_fragment(uint pixel, uint depth, uint triangle)`, depth as the bits of a float.

layout(constant_id = 0) const uint has_occluder = 0u; // 1: only what is before `occluder` counts

uniform sampler2D occluder;

void take_fragment(ivec2 at, float depth, uint triangle) {
    if (has_occluder != 0u && !(depth < texelFetch(occluder, at, 0).r)) return;
    store_fragment(uint(at.y) * params.size.x + uint(at.x), floatBitsToUint(depth), triangle);
}
