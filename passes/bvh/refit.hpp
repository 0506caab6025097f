#pragma once

#include "passes/bvh/bvh.hpp"

namespace tuff::passes {

/// New boxes for a hierarchy whose triangles have moved. See `describe`.
struct Refit {
    static constexpr std::string_view kName = "bvh/refit";

    Bvh source;
    TriangleMesh mesh;

    Bvh bvh;

    static void describe(PassInfo<Refit>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
