#pragma once

#include "passes/terrain/tree.hpp"
#include "passes/terrain/view.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Draws a tree's leaves from above. See `describe`.
struct MapTree {
    static constexpr std::string_view kName = "terrain/map";

    QuadTree tree;
    Surface surface;
    CameraParameters camera;
    float aspect = 16.0f / 9.0f;
    std::uint32_t size = 256;
    std::uint32_t face = 0;
    bool parts = false;
    Image result;

    static void describe(PassInfo<MapTree>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
