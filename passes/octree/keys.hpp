#pragma once

#include "passes/octree/octree.hpp"

namespace tuff::passes {

/// Computes the Morton keys of points. See `describe`.
struct OctreeKeys {
    static constexpr std::string_view kName = "octree/keys";

    Buffer points;
    Buffer count; ///< optional
    OctreeShape tree;
    Buffer keys;

    static void describe(PassInfo<OctreeKeys>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
