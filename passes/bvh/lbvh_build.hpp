#pragma once

#include "passes/bvh/morton.hpp"

namespace tuff::passes {

/// Builds a hierarchy from Morton codes, all on the device. See `describe`.
struct LbvhBuild {
    static constexpr std::string_view kName = "bvh/lbvh_build";

    TriangleMesh mesh;
    CodeBits bits = CodeBits::bits30;
    Interleave interleave = Interleave::xyz;

    Bvh bvh;

    static void describe(PassInfo<LbvhBuild>& info);
    void build(Graph& graph);
};

/// Buffers for a binary hierarchy over `triangles`.
struct BinaryArrays {
    Buffer nodes;    ///< a builder may write them in any order, and read what it has written
    Buffer arrivals; ///< a word a node, ~0
};
BinaryArrays binary_arrays(Graph& graph, std::uint32_t triangles);

} // namespace tuff::passes
