#version 460
// How bright each cell of a panorama is, by solid angle.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "scene/environment.glsl"

const uint kTableWidth = 256u;
const uint kTableHeight = 128u;
const int kMaxSteps = 16; // looked up along a side of a cell

uniform sampler2D panorama;
writeonly buffer Weights { float values[]; } weights;

void main() {
    uint i = invocation_index();
    if (i >= kTableWidth * kTableHeight) return;
    vec2 cell = vec2(i % kTableWidth, i / kTableWidth);
    vec2 cells = vec2(kTableWidth, kTableHeight);
    vec2 texels = vec2(textureSize(panorama, 0)) / cells;
    ivec2 steps = clamp(ivec2(ceil(texels)), ivec2(1), ivec2(kMaxSteps));
    float sum = 0.0;
    for (int y = 0; y < steps.y; ++y)
        for (int x = 0; x < steps.x; ++x) {
            vec2 uv = (cell + (vec2(x, y) + 0.5) / vec2(steps)) / cells;
            vec3 radiance = environment_background(panorama, panorama_direction(uv));
            sum += sin(uv.y * kEnvironmentPi) * max(max(radiance.r, radiance.g), radiance.b);
        }
    weights.values[i] = sum / float(steps.x * steps.y);
}
