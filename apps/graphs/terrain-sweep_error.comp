#version 460
// How far the triangles of a terrain are from its heights, in pixels: at 16 points of each triangle that
// lie in view, weighted by their area on the screen. Sums are of whole numbers, so that their order does
// not matter.
layout(local_size_x = 64) in;
#include "invocation.glsl"

uniform sampler2D heights; //! doc the map of the terrain
readonly buffer Positions { float values[]; } positions; //! doc of the mesh
readonly buffer Indices { uint values[]; } indices; //! doc of the mesh
// Triangles; bits of the largest error; weights, and weighted squares of errors, two words each.
buffer Sums { uint words[]; } sums; //! doc six words for terrain-sweep_row.comp

uniform Params {
    vec3 eye;
    vec3 target;
    float vertical_fov; //! unit degrees
    float aspect;
    float rows;   //! doc height of the picture in pixels
    float side;   //! doc of the terrain
    float factor; //! doc of heights
} params;

const uint kPoints = 4u; // along an edge
const float kWeightUnits = 268435456.0; // of a steradian
const float kErrorUnits = 256.0; // of a square pixel

// Bilinear, as terrain/surface has it.
float height_at(vec2 place) {
    ivec2 last = textureSize(heights, 0) - 1;
    vec2 at = clamp(place / params.side + 0.5, 0.0, 1.0) * vec2(last);
    ivec2 low = ivec2(floor(at));
    ivec2 high = min(low + 1, last);
    vec2 part = at - vec2(low);
    float near = mix(texelFetch(heights, low, 0).x, texelFetch(heights, ivec2(high.x, low.y), 0).x, part.x);
    float far = mix(texelFetch(heights, ivec2(low.x, high.y), 0).x, texelFetch(heights, high, 0).x, part.x);
    return mix(near, far, part.y) * params.factor;
}

void add(uint word, float value) {
    uint number = uint(clamp(value, 0.0, 4.0e9) + 0.5);
    uint before = atomicAdd(sums.words[word], number);
    if (before + number < before) atomicAdd(sums.words[word + 1u], 1u);
}

vec3 position(uint corner) {
    uint i = 3u * indices.values[corner];
    return vec3(positions.values[i], positions.values[i + 1u], positions.values[i + 2u]);
}

void main() {
    uint i = invocation_index();
    if (3u * i + 2u >= uint(indices.values.length())) return;
    vec3 a = position(3u * i);
    vec3 b = position(3u * i + 1u);
    vec3 c = position(3u * i + 2u);
    vec3 area = 0.5 * cross(b - a, c - a);
    if (area.y == 0.0) return; // behind the last leaf
    atomicAdd(sums.words[0], 1u);

    vec3 forward = normalize(params.target - params.eye);
    vec3 right = normalize(cross(forward, vec3(0.0, 1.0, 0.0)));
    vec3 up = cross(right, forward);
    float tangent = tan(0.5 * radians(params.vertical_fov));
    float pixel = 2.0 * tangent / params.rows; // at distance 1
    float worst = 0.0;
    float weights = 0.0;
    float squares = 0.0;
    // Centres of kPoints^2 triangles as large as one another.
    for (uint row = 0u; row < kPoints; ++row)
        for (uint k = 0u; k < 2u * row + 1u; ++k) {
            float third = (k & 1u) == 0u ? 1.0 / 3.0 : 2.0 / 3.0;
            float v = (float(k / 2u) + third) / float(kPoints);
            float u = (float(row) + ((k & 1u) == 0u ? 2.0 / 3.0 : 1.0 / 3.0)) / float(kPoints) - v;
            vec3 place = a + u * (b - a) + v * (c - a);
            vec3 from = place - params.eye;
            float depth = dot(from, forward);
            if (depth <= 0.0 || abs(dot(from, up)) > tangent * depth ||
                abs(dot(from, right)) > params.aspect * tangent * depth)
                continue;
            float distance2 = dot(from, from);
            float off = abs(place.y - height_at(place.xz)) / (pixel * sqrt(distance2));
            float weight = abs(dot(area, from)) / (float(kPoints * kPoints) * distance2 * sqrt(distance2));
            worst = max(worst, off);
            weights += weight;
            squares += weight * off * off;
        }
    if (weights == 0.0) return;
    atomicMax(sums.words[1], floatBitsToUint(worst));
    add(2u, weights * kWeightUnits);
    add(4u, squares * kWeightUnits * kErrorUnits);
}
