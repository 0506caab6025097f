#pragma once

#include "passes/bvh/lbvh_build.hpp"

namespace tuff::passes {

/// Makes a hierarchy cheaper for rays. See `describe`.
struct RestructureTreelets {
    static constexpr std::string_view kName = "bvh/restructure_treelets";

    Bvh source;
    int rounds = 2;

    Bvh bvh;

    static void describe(PassInfo<RestructureTreelets>& info);
    void build(Graph& graph);
};

/// Builds a hierarchy and improves it. See `describe`.
struct QualityBuild {
    static constexpr std::string_view kName = "bvh/quality_build";

    TriangleMesh mesh;
    CodeBits bits = CodeBits::bits60;
    Interleave interleave = Interleave::xyz;
    int rounds = 2;

    Bvh bvh;

    static void describe(PassInfo<QualityBuild>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
