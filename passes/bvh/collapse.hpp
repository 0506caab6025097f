#pragma once

#include "passes/bvh/bvh.hpp"

namespace tuff::passes {

/// Nodes of eight children from nodes of two. See `describe`.
struct CollapseBvh {
    static constexpr std::string_view kName = "bvh/collapse";

    Bvh source;

    Bvh bvh;

    static void describe(PassInfo<CollapseBvh>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
