#version 460
// Smoke in bricks along rays, brick by brick from front to back, until next to nothing shines through.
// HALF: on cells of 16 bits.
//! variants HALF=0,1

layout(local_size_x = 8, local_size_y = 8) in;

#include "cells.glsl"
#include "sparse_rays.glsl"
#include "sparse_shading.glsl"
#include "sparse_behind.glsl"

uniform Params {
    vec3 eye;     // cells
    vec3 forward; // of a ray through the middle of the picture; from there ...
    vec3 right;   // ... to its right side
    vec3 down;    // ... and to its lower one
    float step_length;
    float opaque;  // what still shines through where a ray ends
    float overlay; // of the bricks' edges
    SmokeLight how;
    vec3 background;
    DepthRange range;
} params;

layout(constant_id = 25) const uint has_behind = 0u;
uniform sampler2D behind;
writeonly uniform image2D result;

const vec3 kEdge = vec3(0.1, 0.8, 0.35);
const float kEdgeWidth = 0.3; // cells

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    vec2 clip = (vec2(texel) + 0.5) / vec2(size) * 2.0 - 1.0;
    vec3 direction = normalize(params.forward + clip.x * params.right + clip.y * params.down);
    vec3 inverse = inverse_of(direction);
    vec2 span = span_in(params.eye, inverse, vec3(0.0), vec3(kDomain));
    span.y = min(span.y, end_of_ray(texel, params.range, params.forward, direction));
    float way = max(span.x, 0.0);

    vec3 gained = vec3(0.0);
    float through = 1.0;
    ivec3 forth = ivec3(greaterThan(inverse, vec3(0.0)));
    ivec3 brick = clamp(ivec3(floor(params.eye + way * direction)), ivec3(0), kLastCell) / kBrick;
    int most = kBrickGrid.x + kBrickGrid.y + kBrickGrid.z;
    for (int n = 0; n < most && way < span.y && is_in_grid(brick); ++n) {
        vec3 low = vec3(brick * kBrick);
        vec3 sides = ((low + vec3(forth * kBrick)) - params.eye) * inverse;
        float next = min(min(min(sides.x, sides.y), sides.z), span.y);
        uint word = find_brick(brick_number(brick));
        if (is_active(word)) {
            if (params.overlay > 0.0) {
                vec3 place = params.eye + way * direction;
                float edge = params.overlay * edge_of(place, low, low + vec3(kBrick), kEdgeWidth);
                gained += through * edge * kEdge;
                through *= 1.0 - edge;
            }
            int first = int(ceil(way / params.step_length - 0.5));
            int last = int(ceil(next / params.step_length - 0.5)); // the next brick's first
            for (int i = first; i < last && through > params.opaque; ++i) {
                vec3 place = params.eye + (float(i) + 0.5) * params.step_length * direction;
                vec4 piece = shaded(sample_at(place, brick, slot_of(word)), params.how,
                                    params.step_length);
                gained += through * piece.rgb;
                through *= piece.a;
            }
            if (through <= params.opaque) break;
        }
        way = max(way, next);
        int axis = sides.x <= sides.y && sides.x <= sides.z ? 0 : sides.y <= sides.z ? 1 : 2;
        brick[axis] += forth[axis] * 2 - 1;
    }
    vec4 around =
        has_behind != 0u ? texelFetch(behind, texel, 0) : vec4(params.background, 1.0);
    imageStore(result, texel,
               vec4(gained + through * around.rgb, 1.0 - through * (1.0 - around.a)));
}
