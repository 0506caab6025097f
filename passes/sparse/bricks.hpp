#pragma once

#include "passes/sparse/store.hpp"

namespace tuff::passes {

/// Allocates bricks for points and a box. See `describe`.
struct SparseBricksPass {
    static constexpr std::string_view kName = "sparse/bricks";

    Buffer points;
    std::int64_t length = -1;
    glm::uvec3 dims{128};
    SparseParameters bricks_parameters;
    glm::ivec3 box_low{0};
    glm::ivec3 box_high{0};
    bool keep = true;
    bool reset = false;
    SparseBricks bricks;
    Buffer status;

    static void describe(PassInfo<SparseBricksPass>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
