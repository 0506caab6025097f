#pragma once

#include <tuff/graph.hpp>
#include <tuff/scene_resources.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// What the raster passes that draw a whole scene share.
namespace tuff::passes {

/// A texture of a material, and the sampler binding of the kernel that takes it.
struct MaterialTexture {
    std::string_view binding;
    TextureSlot SceneMaterial::*slot;
};

/// Draws of the scene whose materials are blended, or all others, in the file's order.
std::vector<std::uint32_t> blended_draws(const SceneData& scene);
std::vector<std::uint32_t> solid_draws(const SceneData& scene);
/// Whether a material of these draws is of mode MASK.
bool any_masked(const SceneData& scene, std::span<const std::uint32_t> draws);

/// Which faces are drawn.
enum class Faces {
    as_material_says, ///< of single-sided materials those that look to the camera
    both,             ///< of all materials
    back_to_front,    ///< as the material says; of double-sided ones the backs first
};

/// How the vertex stage finds its vertices.
enum class Fetch {
    indexed, ///< by an index buffer: the vertex index is the vertex's
    pulled,  ///< from "indices": the vertex index counts the corners of a draw's triangles
};

/// Binds "vertices", "draws", "transforms", "materials" and the indices, then adds the draws,
/// instance index = index of the draw, in the order given. Neighbours whose `textures` are the same
/// share a bind group; white stands for a texture that a material lacks.
void draw_scene(Graph& graph, RasterNodeBuilder& node, const Scene& scene,
                std::span<const std::uint32_t> draws, std::span<const MaterialTexture> textures,
                Faces faces, Fetch fetch = Fetch::indexed);

/// One white texel: what an absent texture multiplies by.
Image white_texel(Graph& graph);

/// The draws, those that share their textures together.
std::vector<std::uint32_t> by_textures(const SceneData& scene, std::vector<std::uint32_t> draws,
                                       std::span<const MaterialTexture> textures);

} // namespace tuff::passes
