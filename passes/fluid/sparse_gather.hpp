#pragma once

#include "passes/fluid/sparse.hpp"

namespace tuff::passes {

/// Puts smoke that ranks have in parts together on rank 0. See `describe`.
struct SmokeGather {
    static constexpr std::string_view kName = "fluid/sparse_gather";

    SparseSmoke source;
    std::uint32_t capacity = 1024;
    SparseSmoke smoke;

    static void describe(PassInfo<SmokeGather>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
