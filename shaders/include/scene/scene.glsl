// The arrays of a scene as buffers hold them: the structs of engine/include/tuff/scene.hpp.

struct Vertex {
    vec3 position;
    uint color_rg; // two 16-bit unorm: red, green; linear
    vec3 normal;
    uint color_ba; // blue, alpha
    vec4 tangent;  // w: sign of the bitangent
    vec2 uv0;
    vec2 uv1;
};

struct SceneDraw {
    uint first_index;
    uint index_count;
    int vertex_offset;
    uint material;
    uint transform;
    uint mesh;
    uint flags; // kDraw...
    uint vertex_count;
};

const uint kDrawMirrored = 1; // the transform turns counter-clockwise faces clockwise

struct SceneTransform {
    mat4 world;
    mat4 normal;
};

struct TextureSlot {
    vec4 matrix; // columns of a 2x2 matrix
    vec2 offset;
    int texture; // -1: none
    uint uv_set;
};

struct SceneMaterial {
    vec4 base_color;
    vec3 emissive;
    float metallic;
    float roughness;
    float normal_scale;
    float occlusion_strength;
    float alpha_cutoff;
    uint alpha_mode; // kAlpha...
    uint flags;      // kMaterial...
    uint padding0;
    uint padding1;
    TextureSlot base_color_texture;
    TextureSlot metallic_roughness_texture;
    TextureSlot normal_texture;
    TextureSlot occlusion_texture;
    TextureSlot emissive_texture;
};

const uint kAlphaOpaque = 0;
const uint kAlphaMask = 1;
const uint kAlphaBlend = 2;

const uint kMaterialDoubleSided = 1;
const uint kMaterialUnlit = 2;

// The linear colour of a vertex from its `color_rg` and `color_ba`.
vec4 vertex_color(uint rg, uint ba) {
    return vec4(unpackUnorm2x16(rg), unpackUnorm2x16(ba));
}
