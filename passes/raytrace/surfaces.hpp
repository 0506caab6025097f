#pragma once

#include "passes/geometry/triangle_mesh.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// Materials and textures of what rays hit: shaders/include/raytrace/surface.glsl.
namespace tuff::passes {

/// How materials with textures are shaded: a kernel has room for so many textures. The pictures are
/// the same to the bit.
enum class MaterialPasses : std::uint8_t {
    batches, ///< as many materials at a time as there is room for their textures
    single,  ///< all in one pass, an error where there are too many textures
    each,    ///< one after the other
};

inline constexpr std::size_t kTexturesAtATime = 12; ///< as in raytrace/surface.glsl

/// Materials that are shaded by one dispatch, and their textures by the element that each is bound
/// to; -1: none.
struct MaterialBatch {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    std::vector<std::int32_t> textures;
    /// Element i is texture `first_texture` + i, for kernels that choose among them by number. Else
    /// there are at most kTexturesAtATime, in any order.
    bool in_array = false;
    std::int32_t first_texture = 0;

    /// Of a kernel that includes raytrace/surface.glsl, or of its like.
    ShaderVariant variant() const { return {{"TEXTURE_ARRAY", in_array}}; }
};

/// The textures that kernels have room for: those of an array as long as the device takes it, or
/// where it cannot choose among them, or a material's textures are too far apart for it,
/// kTexturesAtATime.
class TextureRoom {
  public:
    /// `materials`: the textures of each material that is to be shaded.
    TextureRoom(const DeviceCaps& target, std::span<const std::vector<std::int32_t>> materials);

    /// Whether a batch may have these, each of which is there once.
    bool holds(std::span<const std::int32_t> textures) const;
    /// Textures at a time, at most.
    std::size_t size() const { return size_; }
    /// Gives each of the batch's textures its element.
    void arrange(MaterialBatch& batch) const;

  private:
    std::size_t size_ = kTexturesAtATime;
    bool in_array_ = false;
};

/// All materials of the scene, in order. There is at least one batch. Reports
/// raytrace/too-many-textures, and returns none, where a single pass cannot hold them.
std::vector<MaterialBatch> material_batches(Graph& graph, const SceneData& scene,
                                            MaterialPasses passes);

/// Binds and sets all that raytrace/surface.glsl speaks of.
void bind_surfaces(Graph& graph, ComputeNodeBuilder& node, const Scene& scene,
                   const TriangleMesh& mesh, const MaterialBatch& batch);

/// The textures of the batch alone: "textures" and "texture_ids".
void bind_textures(Graph& graph, KernelNode& node, const Scene& scene, const MaterialBatch& batch);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::MaterialPasses> {
    static constexpr std::array<std::string_view, 3> names{"batches", "single", "each"};
};
