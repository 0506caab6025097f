#pragma once

#include "passes/terrain/tree.hpp"
#include "passes/terrain/view.hpp"

#include <tuff/graph.hpp>

#include <cstdint>

namespace tuff::passes {

/// What the view leaves out of a tree.
enum class TreeDrop : std::uint8_t { nothing, outside };

/// What all kernels that include shaders/terrain/tree.glsl are told.
struct TreeNodes {
    Surface surface;
    TerrainView view;
    float ratio = 1.0f;          ///< (2 tan(fov / 2) / k)^2
    Buffer eyes;                 ///< further ones, as terrain/eyes writes them
    std::uint32_t eye_count = 0; ///< of these
    std::uint32_t max_level = 0;
    std::uint32_t faces = 1;
    std::uint32_t capacity = 0;
    std::uint32_t reset = 0;
    TreeDrop drop = TreeDrop::nothing;
    Buffer hidden_by;        ///< of the depths of a picture
    Buffer seen_view;        ///< its camera
    glm::uvec2 seen_size{0}; ///< and its size
    TreeKeys type = TreeKeys::narrow;

    /// A node of the kernel, with all of that.
    ComputeNodeBuilder begin(Graph& graph, std::string_view kernel) const;
    /// The same of a kernel that leaves nothing out.
    ComputeNodeBuilder begin_whole(Graph& graph, std::string_view kernel) const;
    /// The same of a kernel that divides nothing.
    ComputeNodeBuilder begin_hiding(Graph& graph, std::string_view kernel) const;
    /// Of kernels, for the type of the keys.
    ShaderVariant variant() const { return {{"KEY_WORDS", type == TreeKeys::wide ? 2 : 1}}; }
    /// A transient buffer of keys.
    Buffer keys(Graph& graph, std::string_view name, std::uint64_t count) const;

  private:
    void set_common(ComputeNodeBuilder& node) const;
    void bind_hiders(ComputeNodeBuilder& node) const;
};

/// Adds what hides something: the depths of the picture before, where there are some.
void add_hiders(Graph& graph, TreeNodes& nodes, Image depth);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::TreeDrop> {
    static constexpr std::array<std::string_view, 2> names{"nothing", "outside"};
};
