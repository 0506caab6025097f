#pragma once

#include <tuff/camera.hpp>
#include <tuff/diagnostic.hpp>
#include <tuff/graph_desc.hpp>
#include <tuff/image.hpp>

#include <glm/common.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tuff {

/// A vertex, 64 bytes, the same in C++ and in a std430 buffer:
///
///     struct Vertex {            // byte offset
///         vec3 position;         //  0
///         uint color_rg;         // 12  unpackUnorm2x16: red, green (linear)
///         vec3 normal;           // 16
///         uint color_ba;         // 28  unpackUnorm2x16: blue, alpha
///         vec4 tangent;          // 32  w is the sign of the bitangent
///         vec2 uv0;              // 48
///         vec2 uv1;              // 56
///     };
struct Vertex {
    glm::vec3 position{0.0f}; ///< in the mesh's own space
    /// Linear red and green, 16 bits each, as `packUnorm2x16` does.
    std::uint32_t color_rg = 0xffffffffu;
    glm::vec3 normal{0.0f, 0.0f, 1.0f};        ///< unit length
    std::uint32_t color_ba = 0xffffffffu;      ///< linear blue and alpha, 16 bits each
    glm::vec4 tangent{1.0f, 0.0f, 0.0f, 1.0f}; ///< along u; w is the sign of the bitangent
    glm::vec2 uv0{0.0f};                       ///< first set of texture coordinates
    glm::vec2 uv1{0.0f};                       ///< second set

    static constexpr std::string_view kStructName = "Vertex"; ///< in kernels
    /// Its members, to compare with kernels.
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(Vertex, position), TUFF_MEMBER(Vertex, color_rg),
                          TUFF_MEMBER(Vertex, normal),   TUFF_MEMBER(Vertex, color_ba),
                          TUFF_MEMBER(Vertex, tangent),  TUFF_MEMBER(Vertex, uv0),
                          TUFF_MEMBER(Vertex, uv1)};
    }
};
static_assert(sizeof(Vertex) == 64 && offsetof(Vertex, color_rg) == 12);
static_assert(offsetof(Vertex, normal) == 16 && offsetof(Vertex, color_ba) == 28);
static_assert(offsetof(Vertex, tangent) == 32 && offsetof(Vertex, uv0) == 48);
static_assert(offsetof(Vertex, uv1) == 56);

/// Bits of `SceneDraw::flags`.
enum DrawFlags : std::uint32_t {
    draw_mirrored = 1, ///< the transform's determinant is negative: front faces turn clockwise
};

/// One primitive of one node, 32 bytes, std430: eight 32-bit words in this order. The first three
/// members fit VkDrawIndexedIndirectCommand.
struct SceneDraw {
    std::uint32_t first_index = 0;  ///< into SceneData::indices
    std::uint32_t index_count = 0;  ///< a multiple of 3: always a triangle list
    std::int32_t vertex_offset = 0; ///< added to every index
    std::uint32_t material = 0;     ///< index into SceneData::materials
    std::uint32_t transform = 0;    ///< index into SceneData::transforms
    std::uint32_t mesh = 0;         ///< number of the mesh in the file
    std::uint32_t flags = 0;        ///< of DrawFlags
    std::uint32_t vertex_count = 0; ///< indices are below it

    static constexpr std::string_view kStructName = "SceneDraw"; ///< in kernels
    /// Its members, to compare with kernels.
    static constexpr auto members() {
        return std::array{
            TUFF_MEMBER(SceneDraw, first_index),   TUFF_MEMBER(SceneDraw, index_count),
            TUFF_MEMBER(SceneDraw, vertex_offset), TUFF_MEMBER(SceneDraw, material),
            TUFF_MEMBER(SceneDraw, transform),     TUFF_MEMBER(SceneDraw, mesh),
            TUFF_MEMBER(SceneDraw, flags),         TUFF_MEMBER(SceneDraw, vertex_count)};
    }
};
static_assert(sizeof(SceneDraw) == 32);

/// The placement of one node, 128 bytes, std430: two mat4.
struct SceneTransform {
    glm::mat4 world{1.0f};  ///< from the mesh's own space to the world's
    glm::mat4 normal{1.0f}; ///< inverse transpose of the upper 3x3; results need normalising

    static constexpr std::string_view kStructName = "SceneTransform"; ///< in kernels
    /// Its members, to compare with kernels.
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(SceneTransform, world), TUFF_MEMBER(SceneTransform, normal)};
    }
};
static_assert(sizeof(SceneTransform) == 128);

/// A texture as a material uses it, 32 bytes, std430. The coordinate to sample at is
/// `mat2(matrix.xy, matrix.zw) * uv + offset` with `uv` from set `uv_set` (KHR_texture_transform).
struct TextureSlot {
    glm::vec4 matrix{1.0f, 0.0f, 0.0f, 1.0f}; ///< columns
    glm::vec2 offset{0.0f};                   ///< in texture coordinates
    std::int32_t texture = -1; ///< index into SceneData::textures; -1: none, use the factor alone
    std::uint32_t uv_set = 0;  ///< 0 or 1
};
static_assert(sizeof(TextureSlot) == 32 && offsetof(TextureSlot, texture) == 24);

/// Meaning of alpha: ignored, a hole below the cutoff, or coverage.
enum class AlphaMode : std::uint32_t { opaque, mask, blend };

/// Bits of `SceneMaterial::flags`.
enum MaterialFlags : std::uint32_t { material_double_sided = 1, material_unlit = 2 };

/// A glTF metallic-roughness material, 224 bytes, std430. Colours are linear.
struct SceneMaterial {
    glm::vec4 base_color{1.0f};               ///<   0
    glm::vec3 emissive{0.0f};                 ///<  16  factor times KHR_materials_emissive_strength
    float metallic = 1.0f;                    ///<  28
    float roughness = 1.0f;                   ///<  32
    float normal_scale = 1.0f;                ///<  36
    float occlusion_strength = 1.0f;          ///<  40
    float alpha_cutoff = 0.5f;                ///<  44
    AlphaMode alpha_mode = AlphaMode::opaque; ///< 48
    std::uint32_t flags = 0;                  ///<  52
    std::uint32_t padding[2] = {0, 0};        ///<  56
    TextureSlot base_color_texture;           ///<  64
    TextureSlot metallic_roughness_texture;   ///<  96
    TextureSlot normal_texture;               ///< 128
    TextureSlot occlusion_texture;            ///< 160
    TextureSlot emissive_texture;             ///< 192
};
static_assert(sizeof(SceneMaterial) == 224 && offsetof(SceneMaterial, metallic) == 28);
static_assert(offsetof(SceneMaterial, alpha_mode) == 48);
static_assert(offsetof(SceneMaterial, base_color_texture) == 64);

/// An image with a sampler. Base colour and emission are read as sRGB, all others as linear values;
/// an image used both ways appears in `SceneData::images` twice.
struct SceneTexture {
    std::uint32_t image = 0; ///< index into SceneData::images
    Sampler sampler;         ///< how it is sampled
    bool srgb = false;       ///< decoded as sRGB
};

/// A camera of the file.
struct SceneCamera {
    std::string name; ///< as the file has it; may be empty
    Camera camera;    ///< glTF cameras without a far plane get one close behind the scene
};

/// Kind of a light.
enum class SceneLightKind : std::uint8_t { directional, point, spot };

/// A light of the file (KHR_lights_punctual), in the world.
struct SceneLight {
    std::string name;                            ///< as the file has it; may be empty
    SceneLightKind kind = SceneLightKind::point; ///< kind of light
    glm::vec3 position{0.0f};                    ///< of points and spots
    glm::vec3 direction{0.0f, 0.0f, -1.0f};      ///< of its light, unit length; not for points
    glm::vec3 color{1.0f};                       ///< linear
    float intensity = 1.0f;                      ///< candela; lux for directional lights
    float range = 0.0f;                          ///< reach of its light; 0: the file has none
    float inner_angle = 0.0f; ///< of spots, radians from the axis: begin of the falloff
    float outer_angle = 0.0f; ///< end of the falloff, at most a right angle
};

/// Moves a light; a scale changes neither its intensity nor its range.
void place_light(SceneLight& light, const glm::mat4& placement);

/// An axis-aligned box; empty when `min > max`.
struct Bounds {
    glm::vec3 min{std::numeric_limits<float>::max()};    ///< smallest coordinates
    glm::vec3 max{std::numeric_limits<float>::lowest()}; ///< largest coordinates

    /// Whether it is empty.
    bool empty() const { return min.x > max.x; }
    /// Its centre.
    glm::vec3 center() const { return 0.5f * (min + max); }
    /// Extends it to include `point`.
    void grow(glm::vec3 point) {
        min = glm::min(min, point);
        max = glm::max(max, point);
    }
};

struct SceneMotion;

/// A scene as flat arrays, ready to become buffers. All indices into the arrays are valid, indices
/// of vertices are below `vertex_count` of their draw, and positions are finite.
struct SceneData {
    std::vector<Vertex> vertices;       ///< of all meshes
    std::vector<std::uint32_t> indices; ///< relative to the draw's vertex_offset
    std::vector<SceneDraw> draws;       ///< nodes of one mesh share vertices and indices
    std::vector<Bounds> draw_bounds;    ///< parallel to draws, in world space
    /// One for each node with a mesh. A scene with `motion` has one more, without a draw:
    /// it places the coordinates of the file.
    std::vector<SceneTransform> transforms;
    std::vector<SceneMaterial> materials; ///< at least one if there is a draw
    std::vector<SceneTexture> textures;   ///< as materials use them
    std::vector<HostImage> images;        ///< rgba8_srgb or rgba8_unorm
    std::vector<SceneCamera> cameras;     ///< of the file
    std::vector<SceneLight> lights;       ///< of the file
    Bounds bounds;                        ///< of all draws, in world space

    std::vector<std::string> material_names; ///< parallel to materials
    std::vector<std::string> mesh_names;     ///< by SceneDraw::mesh
    /// Names of the nodes that `transforms` belong to; may be fewer, and may be empty.
    std::vector<std::string> transform_names;
    std::shared_ptr<const SceneMotion> motion; ///< its animation data; null: it does not move
    std::uint32_t node_count = 0;              ///< nodes in the file, drawn or not
    Diagnostics warnings;                      ///< skipped or replaced parts; never errors

    /// Triangles over all draws, instances counted each time.
    std::uint64_t triangle_count() const;
};

/// Options for reading glTF.
struct GltfOptions {
    std::optional<std::uint32_t>
        scene; ///< none: the file's default, else the first, else all roots
    std::uint64_t max_vertices = std::uint64_t{1} << 26; ///< refuse scenes with more
    /// Folders that the files it names must be in or below; empty: anywhere.
    std::vector<std::filesystem::path> confined_to = {};
};

/// Reads glTF 2.0, `.gltf` with its files beside it or `.glb`.
///
/// Primitives become triangle lists (strips and fans are unrolled); points and lines are skipped
/// with a warning. Missing normals are flat, as the specification demands, which splits shared
/// vertices. Missing tangents are computed only if a normal map needs them: the derivative of
/// position by texture coordinate, summed over the triangles of a vertex weighted by area, made
/// perpendicular to the normal; unlike MikkTSpace it neither splits vertices at seams nor weights
/// by angle. Skins, morph targets and animations become `SceneData::motion`, which `scene/animate`
/// plays; vertices are those of the file, before skins and morph targets move them.
///
/// Supported extensions: KHR_texture_transform, KHR_materials_unlit,
/// KHR_materials_emissive_strength, KHR_mesh_quantization, KHR_lights_punctual. Others cause
/// a warning if used and an error if required.
///
/// Errors: gltf/not-found, gltf/unreadable, gltf/syntax, gltf/schema, gltf/unsupported-version,
/// gltf/unsupported-extension, gltf/missing-file, gltf/corrupt-buffer, gltf/accessor-out-of-range,
/// gltf/index-out-of-range, gltf/attribute-mismatch, gltf/not-finite, gltf/node-cycle,
/// gltf/too-large, gltf/texture, gltf/animation, gltf/skin, asset/outside.
Result<SceneData> load_gltf(const std::filesystem::path& path, const GltfOptions& options = {});

/// Normals to compute if a file has none.
enum class MissingNormals : std::uint8_t {
    smooth, ///< the mean over the triangles of a vertex, weighted by area
    flat,   ///< one per triangle, which splits shared vertices
};

/// Options for reading models other than glTF.
struct MeshOptions {
    MissingNormals normals = MissingNormals::smooth;     ///< if the file has none
    std::uint64_t max_vertices = std::uint64_t{1} << 26; ///< refuse meshes with more
    /// Folders that the files it names must be in or below; empty: anywhere.
    std::vector<std::filesystem::path> confined_to = {};
};

/// Reads the formats of `model_extensions` with assimp: Wavefront OBJ (`.obj` with its materials
/// beside it), Stanford PLY, OFF, STL, FBX, Collada, Blender and others. Nodes place their meshes;
/// skins and animations are ignored, and so are cameras and lights. The parsers of all but the
/// first three formats can crash on damaged files, so a separate process tries them first.
///
/// Polygons are cut into triangles, up to 256 corners also if concave; points
/// and lines are skipped with a warning. Identical vertices are merged. Materials have their
/// diffuse colour and texture (from a file or from within the model), emission, opacity
/// and shininess (as roughness); faces without a material are dielectric, rough and of
/// albedo 0.8, times the colours of vertices.
///
/// Errors: mesh/not-found, mesh/unreadable, mesh/unknown-format, mesh/corrupt,
/// mesh/index-out-of-range, mesh/not-finite, mesh/empty, mesh/too-large, asset/outside. Warnings:
/// mesh/texture, mesh/bad-normals, mesh/skipped-primitive.
Result<SceneData> load_mesh(const std::filesystem::path& path, const MeshOptions& options = {});

/// Reads a model of any kind: `load_gltf` for .gltf and .glb, else `load_mesh`. `confined_to` as in
/// their options.
Result<SceneData> load_scene(const std::filesystem::path& path,
                             std::span<const std::filesystem::path> confined_to = {});

/// A rectangle around the origin that faces +y, `size` along x and z, uv from (0, 0) to (1, 1),
/// with the default material of `load_mesh`.
SceneData make_plane(glm::vec2 size);

/// A vaulted arcade of columns between brick walls, 10 by 24 along x and z on y = 0, as a test of
/// rays: about 260,000 triangles of very different sizes, for every `seed`. The seed determines
/// colours, bricks, tiles and urns, the same on every machine. Materials: stone, brick, a mirroring
/// floor, copper, lamps.
SceneData make_arcade(std::uint32_t seed);

/// A part of a merged scene.
struct ScenePart {
    std::shared_ptr<const SceneData> scene; ///< shared by all users of the file
    glm::mat4 placement{1.0f};              ///< from the part's world to that of the whole; affine
    std::optional<SceneMaterial> material; ///< for all its draws instead of the file's; no textures
};

/// Merges all parts, in their order, with draws, cameras and lights. Errors: mesh/too-large if
/// they do not fit into 32-bit indices, mesh/not-finite if a placement is not finite.
Result<SceneData> merge_scenes(std::span<const ScenePart> parts);

} // namespace tuff
