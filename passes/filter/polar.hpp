#pragma once

#include "passes/filter/tensor.hpp"

#include <string_view>

namespace tuff::passes {

/// Magnitude and phase of pairs of responses. See `describe`.
struct FilterPolar {
    static constexpr std::string_view kName = "filter/polar";

    Buffer responses;
    std::uint32_t pairs = 1;
    glm::uvec4 size{1};
    std::uint32_t batch = 1;
    Buffer magnitude;
    Buffer phase;

    static void describe(PassInfo<FilterPolar>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
