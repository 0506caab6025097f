#version 460
// The shape and colour of a glyph for each cell of the grid: half axes along the eigenvectors.
//! variants DIMENSIONS=2,3
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "symmetric.glsl"
#include "glyph.glsl"

readonly buffer Tensor { float values[]; } tensor;
writeonly buffer Glyphs { Glyph list[]; } glyphs;

uniform Params {
    uvec3 size;   // of the array
    uvec3 cells;  // glyphs along each axis
    uint step;    // places from a glyph to the next
    float scale;  // of the largest eigenvalue: 1 fills the cell
    float least;  // share of that below which there is no glyph
    uint along;   // 1: long where the numbers do not vary
} params;

const int kDimensions = DIMENSIONS;
const float kFlattest = 0.12; // half axes, of the longest
const float kFilling = 0.48;  // longest half axis, of the distance of glyphs

mat4 tensor_at(uint place, uint places) {
    mat4 a = mat4(0.0);
    uint component = 0u;
    for (int i = 0; i < kDimensions; ++i)
        for (int j = i; j < kDimensions; ++j) {
            float value = tensor.values[component * places + place];
            a[i][j] = value;
            a[j][i] = value;
            ++component;
        }
    return a;
}

void main() {
    uint index = invocation_index();
    if (index >= params.cells.x * params.cells.y * params.cells.z) return;
    uvec3 cell = uvec3(index % params.cells.x, index / params.cells.x % params.cells.y,
                       index / (params.cells.x * params.cells.y));
    uvec3 place = min(cell * params.step + params.step / 2u, params.size - 1u);
    uint places = params.size.x * params.size.y * params.size.z;
    uint at = (place.z * params.size.y + place.y) * params.size.x + place.x;
    vec4 eigenvalues;
    mat4 vectors;
    eigen(tensor_at(at, places), kDimensions, eigenvalues, vectors);

    float strength = params.scale * eigenvalues[0];
    vec3 lengths = vec3(1.0);
    for (int k = 0; k < kDimensions; ++k) {
        float share = eigenvalues[0] > 0.0 ? max(eigenvalues[k], 0.0) / eigenvalues[0] : 1.0;
        lengths[k] = max(params.along != 0u ? 1.0 - share : share, kFlattest);
    }
    float longest = max(lengths.x, lengths.y);
    if (kDimensions == 3) longest = max(longest, lengths.z);
    lengths /= longest;
    vec3 main_axis = vectors[params.along != 0u ? kDimensions - 1 : 0].xyz;

    Glyph glyph;
    float half_axis = kFilling * float(params.step) * sqrt(clamp(strength, 0.0, 1.0));
    for (int k = 0; k < 3; ++k)
        glyph.rows[k] = vec4(vectors[k].xyz / max(lengths[k] * half_axis, 1e-6), 0.0);
    // NaN is not above `least` either.
    glyph.center = vec4(vec3(cell * params.step) + 0.5 * float(params.step),
                        strength > params.least ? 1.0 : 0.0);
    glyph.color = vec4(0.15 + 0.85 * abs(main_axis), 1.0);
    glyphs.list[index] = glyph;
}
