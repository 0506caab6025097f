#version 460
// Heights of bark: plates, longer than wide, between furrows that part and join again, with fibres along
// the plates, cracks across them and a rough surface. Both directions repeat.
layout(local_size_x = 8, local_size_y = 8) in;
#include "hash.glsl"

layout(rgba32f) writeonly uniform image2D heights; //! doc heights above the trunk in red

uniform Params {
    float high;   //! default 1, doc height of the highest plates
    float furrow; //! range 0.02..0.6, default 0.2, doc width of furrows, in cells of plates
    float rough;  //! range 0..1, default 0.3, doc share of small details
    uint seed;    //! default 1
} params;

const ivec2 kPlates = ivec2(12, 5); // of the map, an even number of columns

float lattice(ivec2 at, ivec2 period, uint kind) {
    uvec2 wrapped = uvec2((at % period + period) % period);
    return random_numbers(wrapped.x, wrapped.y, params.seed * 16u + kind).x * 2.0 - 1.0;
}

// Noise that repeats after `period` cells in both directions, -1 to 1.
float noise(vec2 uv, ivec2 period, uint kind) {
    vec2 at = uv * vec2(period);
    ivec2 cell = ivec2(floor(at));
    vec2 f = at - vec2(cell);
    vec2 w = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    float lower = mix(lattice(cell, period, kind), lattice(cell + ivec2(1, 0), period, kind), w.x);
    float upper = mix(lattice(cell + ivec2(0, 1), period, kind), lattice(cell + 1, period, kind), w.x);
    return mix(lower, upper, w.y);
}

// The distance to the border between the two nearest of points in cells that repeat, and a number of the
// nearest (S. Worley, "A Cellular Texture Basis Function", SIGGRAPH 1996).
vec2 plates(vec2 uv) {
    vec2 at = uv * vec2(kPlates);
    ivec2 cell = ivec2(floor(at));
    vec2 nearest = vec2(1e9);
    vec2 next = vec2(1e9);
    float least = 1e9;
    float second = 1e9;
    float number = 0.0;
    for (int y = -2; y <= 2; ++y)
        for (int x = -2; x <= 2; ++x) {
            ivec2 other = cell + ivec2(x, y);
            uvec2 wrapped = uvec2((other % kPlates + kPlates) % kPlates);
            vec3 random = random_numbers(wrapped.x, wrapped.y, params.seed * 16u);
            // Every second column half a plate higher, as bricks lie.
            float shifted = (wrapped.x & 1u) == 0u ? 0.0 : 0.5;
            vec2 point = vec2(other) + vec2(0.5 + 0.35 * (random.x * 2.0 - 1.0), 0.5 + 0.3 * (random.y * 2.0 - 1.0) + shifted);
            vec2 apart = point - at;
            float size = dot(apart, apart);
            if (size < least) {
                second = least;
                next = nearest;
                least = size;
                nearest = apart;
                number = random.z;
            } else if (size < second) {
                second = size;
                next = apart;
            }
        }
    return vec2(dot(0.5 * (nearest + next), normalize(next - nearest)), number);
}

float height_at(vec2 uv) {
    vec2 bent = uv + vec2(0.02 * noise(uv, ivec2(5, 9), 1u) + 0.008 * noise(uv, ivec2(16, 26), 2u),
                          0.05 * noise(uv, ivec2(8, 4), 3u) + 0.012 * noise(uv, ivec2(30, 14), 4u));
    vec2 plate = plates(bent);
    float ragged = plate.x + 0.05 * noise(uv, ivec2(60, 34), 5u) + 0.025 * noise(uv, ivec2(140, 90), 6u);
    float edge = smoothstep(0.0, params.furrow, ragged);
    // The middle of a plate lies highest, and plates differ.
    float height = edge * (0.62 + 0.2 * plate.y + 0.25 * min(plate.x, 0.5));
    // Fibres along a plate, and cracks across it.
    vec2 straighter = mix(uv, bent, 0.3) + vec2(0.0, 0.3 * plate.y);
    float fibres = 1.0 - abs(noise(straighter, ivec2(120, 9), 7u) + 0.4 * noise(straighter, ivec2(220, 20), 11u));
    float cracks = abs(noise(straighter, ivec2(11, 36), 8u));
    float broken = smoothstep(-0.1, 0.4, noise(uv, ivec2(20, 24), 12u)); // no crack goes all the way
    height -= edge * (0.12 * broken * smoothstep(0.1, 0.0, cracks) + 0.09 * smoothstep(0.7, 1.0, fibres));
    float rough = noise(uv, ivec2(180, 60), 9u) + 0.6 * noise(uv, ivec2(300, 180), 10u);
    height += params.rough * (0.03 + 0.07 * edge) * rough;
    return max(height, 0.0);
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(heights);
    if (any(greaterThanEqual(at, size))) return;
    // The last row and column are the first, to the bit.
    ivec2 last = max(size - 1, ivec2(1));
    imageStore(heights, at, vec4(params.high * height_at(vec2(at % last) / vec2(last)), 0.0, 0.0, 0.0));
}
