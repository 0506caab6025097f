#pragma once

#include "passes/terrain/tree_node.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Culls the leaves of a tree that a camera cannot see. See `describe`.
struct CullTree {
    static constexpr std::string_view kName = "terrain/cull";

    Surface surface;
    QuadTree tree;
    Image depth;
    CameraParameters camera;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    QuadTree visible;

    static void describe(PassInfo<CullTree>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
