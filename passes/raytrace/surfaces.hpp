#pragma once

#include "passes/geometry/triangle_mesh.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

/// Materials and textures of what rays hit: shaders/include/raytrace/surface.glsl.
namespace tuff::passes {

/// How materials with textures are shaded: a kernel has room for kTexturesAtATime. The pictures are
/// the same to the bit.
enum class MaterialPasses : std::uint8_t {
    batches, ///< as many materials at a time as there is room for their textures
    single,  ///< all in one pass, an error where there are too many textures
    each,    ///< one after the other
};

inline constexpr std::size_t kTexturesAtATime = 12; ///< as in raytrace/surface.glsl

/// Materials that are shaded by one dispatch.
struct MaterialBatch {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    std::vector<std::int32_t> textures; ///< at most kTexturesAtATime, each once
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
