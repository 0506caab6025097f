#pragma once

#include "passes/terrain/tree.hpp"
#include "passes/terrain/view.hpp"

#include <tuff/graph.hpp>

#include <cstdint>

namespace tuff::passes {

/// What is dropped from a tree by the view.
enum class TreeDrop : std::uint8_t { nothing, outside };

/// The inputs of all kernels that include shaders/terrain/tree.glsl.
struct TreeNodes {
    Surface surface;
    TerrainView view;
    float ratio = 1.0f;          ///< (2 tan(fov / 2) / k)^2
    Buffer eyes;                 ///< additional eyes, as terrain/eyes writes them
    std::uint32_t eye_count = 0; ///< number of these
    std::uint32_t max_level = 0;
    std::uint32_t faces = 1;
    std::uint32_t capacity = 0;
    std::uint32_t reset = 0;
    TreeDrop drop = TreeDrop::nothing;
    Buffer hidden_by;        ///< bounds of the depths of a picture
    Buffer seen_view;        ///< camera of that picture
    glm::uvec2 seen_size{0}; ///< size of that picture
    TreeKeys type = TreeKeys::narrow;

    /// A node of the kernel, with all these inputs.
    ComputeNodeBuilder begin(Graph& graph, std::string_view kernel) const;
    /// The same for a kernel that culls nothing.
    ComputeNodeBuilder begin_whole(Graph& graph, std::string_view kernel) const;
    /// The same for a kernel that divides nothing.
    ComputeNodeBuilder begin_hiding(Graph& graph, std::string_view kernel) const;
    /// The variant of kernels for the type of the keys.
    ShaderVariant variant() const { return {{"KEY_WORDS", type == TreeKeys::wide ? 2 : 1}}; }
    /// A transient buffer of keys.
    Buffer keys(Graph& graph, std::string_view name, std::uint64_t count) const;

  private:
    void set_common(ComputeNodeBuilder& node) const;
    void bind_hiders(ComputeNodeBuilder& node) const;
};

/// Adds occlusion culling: the depths of the previous picture, if there are any.
void add_hiders(Graph& graph, TreeNodes& nodes, Image depth);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::TreeDrop> {
    static constexpr std::array<std::string_view, 2> names{"nothing", "outside"};
};
