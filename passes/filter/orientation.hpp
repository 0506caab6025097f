#pragma once

#include "passes/filter/tensor.hpp"

#include <string_view>

namespace tuff::passes {

/// Eigenvalues and the main direction of symmetric matrices. See `describe`.
struct FilterOrientation {
    static constexpr std::string_view kName = "filter/orientation";

    Buffer tensor;
    std::uint32_t dimensions = 2;
    glm::uvec4 size{1};
    std::uint32_t batch = 1;
    Buffer values;
    Buffer vector;
    Buffer anisotropy;

    static void describe(PassInfo<FilterOrientation>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
