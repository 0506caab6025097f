#pragma once

#include "passes/filter/problem.hpp"

#include <glm/vec4.hpp>

#include <string_view>

namespace tuff::passes {

/// The median of a box around each number. See `describe`.
struct FilterVolumeMedian {
    static constexpr std::string_view kName = "filter/volume_median";

    Buffer source;
    glm::uvec4 size{0, 1, 1, 1};
    std::uint32_t batch = 1;
    glm::uvec4 window{3, 3, 3, 1};
    FilterBorder border = FilterBorder::clamp;
    Buffer result;

    static void describe(PassInfo<FilterVolumeMedian>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
