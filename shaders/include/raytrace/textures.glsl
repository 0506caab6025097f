// Textures of materials, looked up at the level that a footprint asks for. In C++, `bind_textures` of
// passes/raytrace/surfaces.hpp binds what this declares.
//
// A kernel has a batch of textures at a time. Core devices choose among few of them by constants:
// `texture_ids` says which the kernel has. With TEXTURE_ARRAY, which the kernel defines and asks
// GL_EXT_nonuniform_qualifier for, the batch is an array of any length, of the textures from
// `texture_ids[0].x` on. Both forms look up the same, to the bit.
#ifndef RAYTRACE_TEXTURES
#define RAYTRACE_TEXTURES

#if TEXTURE_ARRAY
layout(constant_id = 22) const uint texture_count = 1u;
uniform sampler2D textures[texture_count];
#else
const int kTextures = 12; // as in passes/raytrace/surfaces.hpp
uniform sampler2D textures[kTextures];
#endif

const float kCoarsest = 16.0;

// The level at which a texel is as large as a footprint of this area in texture coordinates; the
// finest where it is smaller, or 0.
float level_of(float area, ivec2 size) {
    float texels = area * float(size.x) * float(size.y);
    return texels > 1.0 ? min(0.5 * log2(texels), kCoarsest) : 0.0;
}

vec4 texel_of(int texture_id, ivec4 texture_ids[3], vec2 uv, float area) {
#if TEXTURE_ARRAY
    uint i = min(uint(texture_id - texture_ids[0].x), texture_count - 1u);
    float level = level_of(area, textureSize(textures[nonuniformEXT(i)], 0));
    return textureLod(textures[nonuniformEXT(i)], uv, level);
#else
    vec4 texel = vec4(1.0);
#define TUFF_TEXTURE(i)                                                                            \
    if (texture_ids[i / 4][i % 4] == texture_id)                                                   \
        texel = textureLod(textures[i], uv, level_of(area, textureSize(textures[i], 0)));
    TUFF_TEXTURE(0)
    TUFF_TEXTURE(1)
    TUFF_TEXTURE(2)
    TUFF_TEXTURE(3)
    TUFF_TEXTURE(4)
    TUFF_TEXTURE(5)
    TUFF_TEXTURE(6)
    TUFF_TEXTURE(7)
    TUFF_TEXTURE(8)
    TUFF_TEXTURE(9)
    TUFF_TEXTURE(10)
    TUFF_TEXTURE(11)
#undef TUFF_TEXTURE
    return texel;
#endif
}

#endif
