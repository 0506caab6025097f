#pragma once

#include "passes/bodies/step.hpp"

namespace tuff::passes {

/// Counts the constraints of each batch of a set. See `describe`.
struct BatchSizes {
    static constexpr std::string_view kName = "bodies/batch_sizes";

    BodyBatches batches;
    std::uint32_t set = 0;
    std::uint32_t most = 16;
    Buffer sizes;

    static void describe(PassInfo<BatchSizes>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
