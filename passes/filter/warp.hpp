#pragma once

#include "passes/filter/problem.hpp"

#include <glm/vec4.hpp>

#include <string_view>

namespace tuff::passes {

/// Deforms arrays by a field of displacements. See `describe`.
struct FilterWarp {
    static constexpr std::string_view kName = "filter/warp";

    Buffer source;
    Buffer field;
    glm::uvec4 size{1};
    std::uint32_t batch = 1;
    FilterBorder border = FilterBorder::clamp;
    Buffer result;

    static void describe(PassInfo<FilterWarp>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
