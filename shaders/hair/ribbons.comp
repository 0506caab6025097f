#version 460
// Strands become fragments without the device's rasterizer: an edge an invocation, which goes along
// the axis of the screen that it is nearer to.

layout(local_size_x = 64) in;

#include "append.glsl"
#include "invocation.glsl"
#include "ribbon.glsl"
#include "thinned.glsl"

readonly buffer Positions { vec4 values[]; } positions;
readonly buffer Colors { vec4 values[]; } colors;
layout(constant_id = 1) const uint has_depth = 0u;
uniform sampler2D depth; // of what hides hair

uniform Params {
    uint count; // strands that are drawn
    uint vertices;
    mat4 clip_from_world;
    vec2 size;
    float scale;
    float radius;
    float tip;
    float opacity;
    uint capacity;
    uint strands; // all of them
    uint stride;
} params;

const float kLeast = 1.0 / 512.0; // coverage that is kept
const int kMaxPixels = 4096;     // along an edge

void main() {
    uint edge = invocation_index();
    uint edges = params.vertices - 1u;
    if (edge >= params.count * edges) return;
    uint v = edge % edges;
    uint strand = thinned(edge / edges, params.strands, params.stride);
    edge = strand * edges + v;
    uint index = strand * params.vertices + v;
    RibbonView view = RibbonView(params.clip_from_world, params.size, params.scale, params.radius, params.tip);
    Seen a = seen_at(positions.values[index].xyz, float(v) / float(edges), view);
    Seen b = seen_at(positions.values[index + 1u].xyz, float(v + 1u) / float(edges), view);
    if (!a.good || !b.good) return;
    vec2 way = b.at - a.at;
    float size = length(way);
    if (!(size > 1e-4)) return;
    vec2 along = way / size;
    bool flat_edge = abs(along.x) >= abs(along.y);
    // Pixels in the main direction, then those beside the line.
    float main_along = flat_edge ? along.x : along.y;
    float widest = max(a.half_width, b.half_width) + 0.5;
    float reach = widest / abs(main_along) + 0.5;
    vec2 low = min(a.at, b.at) - widest;
    vec2 high = max(a.at, b.at) + widest;
    float slope = flat_edge ? along.y / along.x : along.x / along.y;
    vec4 color_a = colors.values[index];
    vec4 color_b = colors.values[index + 1u];
    float main_size = flat_edge ? params.size.x : params.size.y;
    float cross_size = flat_edge ? params.size.y : params.size.x;
    int first = int(floor(clamp(flat_edge ? low.x : low.y, 0.0, main_size)));
    int last = int(floor(clamp(flat_edge ? high.x : high.y, -1.0, main_size - 1.0)));
    last = min(last, first + kMaxPixels);
    for (int i = first; i <= last; ++i) {
        float middle = float(i) + 0.5;
        float line = (flat_edge ? a.at.y : a.at.x) + (middle - (flat_edge ? a.at.x : a.at.y)) * slope;
        int begin = int(floor(clamp(line - reach, 0.0, cross_size)));
        int end = int(floor(clamp(line + reach, -1.0, cross_size - 1.0)));
        for (int j = begin; j <= end; ++j) {
            ivec2 pixel = flat_edge ? ivec2(i, j) : ivec2(j, i);
            vec2 from = vec2(pixel) + 0.5 - a.at;
            float share = dot(from, along) / size;
            if (share < 0.0 || share >= 1.0) continue; // another edge's
            float off = from.x * along.y - from.y * along.x;
            float cover = covered(off, mix(a.half_width, b.half_width, share)) * params.opacity;
            if (cover < kLeast) continue;
            float place = mix(a.depth, b.depth, share);
            if (has_depth != 0u && place > texelFetch(depth, pixel, 0).x) continue;
            append(uint(pixel.y) * uint(params.size.x) + uint(pixel.x),
                   vec4(mix(color_a.rgb, color_b.rgb, share), cover), place, edge, params.capacity);
        }
    }
}
