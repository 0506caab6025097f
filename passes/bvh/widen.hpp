#pragma once

#include "passes/bvh/bvh.hpp"

namespace tuff::passes {

/// Nodes of eight children from nodes of two. See `describe`.
struct WidenBvh {
    static constexpr std::string_view kName = "bvh/widen";

    Bvh source;

    Bvh bvh;

    static void describe(PassInfo<WidenBvh>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
