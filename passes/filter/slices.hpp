#pragma once

#include "passes/filter/tensor.hpp"

#include <string_view>
#include <vector>

namespace tuff::passes {

/// Slices of a volume over time in one picture. See `describe`.
struct FilterSlices {
    static constexpr std::string_view kName = "filter/slices";

    Buffer source;
    glm::uvec4 size{1};
    std::vector<float> slices; ///< numbers along z; empty: the middle one
    std::vector<float> times;  ///< numbers along w; empty: the first one
    float low = 0.0f;
    float high = 1.0f;
    std::uint32_t gap = 2; ///< texels
    Image result;

    static void describe(PassInfo<FilterSlices>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
