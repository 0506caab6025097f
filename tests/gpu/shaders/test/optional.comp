#version 460
// For each binding the first value that it holds, or 100 and its number where it is not connected.
layout(local_size_x = 1) in;

layout(constant_id = 0) const uint has_words = 0u;
layout(constant_id = 1) const bool has_record = false;
layout(constant_id = 2) const int has_stored = 0;
layout(constant_id = 3) const uint has_textures = 0u;

struct Element {
    uint head;
    vec3 place;
};

readonly buffer Words { uint values[]; } words;
readonly buffer Record { uint before[9000]; uint last; Element elements[]; } record;
uniform Table { uvec4 rows[4]; } table;
uniform sampler2D picture;
uniform usampler2D heads;
uniform isampler2D signs;
uniform sampler3D volume;
uniform samplerCube sky;
uniform sampler2DArray stack;
uniform sampler2DMS samples;
layout(r32f) readonly uniform image2D stored;
layout(r32ui) readonly uniform uimage2DArray counts;
uniform sampler2D textures[2];
writeonly buffer Result { uint values[]; } result;

uniform Params {
    uint has_table;
    int has_picture;
    uint has_heads;
    uint has_signs;
    uint has_volume;
    uint has_sky;
    uint has_stack;
    uint has_samples;
    uint has_counts;
} params;

void put(uint number, uint value) {
    result.values[number] = value;
}

void main() {
    for (uint i = 0u; i < 13u; ++i)
        put(i, 100u + i);
    if (has_words != 0u) put(0u, words.values[0]);
    if (has_record) put(1u, record.last + record.elements[0].head);
    if (params.has_table != 0u) put(2u, table.rows[0].x);
    if (params.has_picture != 0) put(3u, uint(texelFetch(picture, ivec2(0), 0).x));
    if (params.has_heads != 0u) put(4u, texelFetch(heads, ivec2(0), 0).x);
    if (params.has_signs != 0u) put(5u, uint(texelFetch(signs, ivec2(0), 0).x));
    if (params.has_volume != 0u) put(6u, uint(textureLod(volume, vec3(0.5), 0.0).x));
    if (params.has_sky != 0u) put(7u, uint(textureLod(sky, vec3(1.0, 0.0, 0.0), 0.0).x));
    if (params.has_stack != 0u) put(8u, uint(textureLod(stack, vec3(0.5, 0.5, 0.0), 0.0).x));
    if (params.has_samples != 0u) put(9u, uint(texelFetch(samples, ivec2(0), 0).x));
    if (has_stored != 0) put(10u, uint(imageLoad(stored, ivec2(0)).x));
    if (params.has_counts != 0u) put(11u, imageLoad(counts, ivec3(0)).x);
    if (has_textures != 0u)
        put(12u, uint(textureLod(textures[0], vec2(0.5), 0.0).x +
                      textureLod(textures[1], vec2(0.5), 0.0).x));
}
