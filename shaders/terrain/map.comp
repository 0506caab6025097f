#version 460
// Colours the map of a tree: leaves by their levels, lines between them, a tick at each side beyond
// which the leaf is coarser, and magenta where the leaves do not cover the square once.
//! variants KEY_WORDS=1,2

layout(local_size_x = 16, local_size_y = 16) in;

#include "key.glsl"
#include "palette.glsl"

readonly buffer Keys { TreeKey values[]; } keys;
readonly buffer Edges { uint values[]; } edges;
readonly buffer Cover { uvec2 pixels[]; } cover;
uniform writeonly image2D result;

uniform Params {
    uint size;
    uint parts; // 1: the tree need not cover everything
    vec2 eye;   // pixels
    vec4 view;  // directions of the left and the right end of the view
} params;

const uint kNone = 0xffffffffu;

uint leaf_of(uvec2 pixel) {
    uvec2 own = cover.pixels[pixel.y * params.size + pixel.x];
    return own.x == 1u ? own.y : kNone;
}

float cross_2d(vec2 a, vec2 b) {
    return a.x * b.y - a.y * b.x;
}

void main() {
    uvec2 pixel = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(pixel, uvec2(params.size)))) return;
    uint leaf = leaf_of(pixel);
    vec3 color = params.parts != 0u && cover.pixels[pixel.y * params.size + pixel.x].x == 0u
                     ? vec3(0.02)
                     : vec3(1.0, 0.0, 1.0);
    if (leaf != kNone) {
        Node node = node_of(keys.values[leaf]);
        color = level_color(node.level);
        float side = float(params.size) * uintBitsToFloat((127u - node.level) << 23u);
        vec2 inside = vec2(pixel) + 0.5 - vec2(node.cell) * side;
        bool line = (pixel.x > 0u && leaf_of(pixel - uvec2(1u, 0u)) != leaf) ||
                    (pixel.y > 0u && leaf_of(pixel - uvec2(0u, 1u)) != leaf);
        if (line && side >= 3.0) color *= 0.35;
        if (side >= 6.0) {
            uint steps = edges.values[leaf];
            vec2 middle = abs(inside - 0.5 * side); // from the middle
            for (uint i = 0u; i < 4u; ++i) {
                if ((steps >> (4u * i) & 15u) == 0u) continue;
                float along = i < 2u ? middle.y : middle.x;
                float into = i < 2u ? inside.x : inside.y;
                if ((i & 1u) != 0u) into = side - into;
                if (along <= 1.0 && into <= 0.3 * side) color = vec3(1.0);
            }
        }
    }
    vec2 from_eye = vec2(pixel) + 0.5 - params.eye;
    bool has_view = any(notEqual(params.view, vec4(0.0)));
    if (has_view) {
        float left = cross_2d(params.view.xy, from_eye);
        float right = cross_2d(params.view.zw, from_eye);
        bool ahead = dot(params.view.xy + params.view.zw, from_eye) > 0.0;
        if (!(ahead && left >= 0.0 && right <= 0.0)) color *= 0.45;
        if (length(from_eye) < 3.0) color = vec3(1.0, 0.9, 0.1);
    }
    imageStore(result, ivec2(pixel), vec4(color, 1.0));
}
