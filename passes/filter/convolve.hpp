#pragma once

#include "passes/filter/crossovers.hpp"

#include <glm/vec4.hpp>

#include <vector>

namespace tuff::passes {

/// Convolves arrays of one to four axes with any kernels. See `describe`.
struct FilterConvolve {
    static constexpr std::string_view kName = "filter/convolve";

    Buffer source;
    Buffer kernel;
    std::vector<float> weights;
    glm::uvec4 size{0, 1, 1, 1};
    std::uint32_t batch = 1;
    glm::uvec4 kernel_size{3, 3, 1, 1};
    std::uint32_t filters = 1;
    FilterBorder border = FilterBorder::zero;
    bool correlate = false;
    FilterPath path = FilterPath::automatic;
    std::uint32_t slabs = 0;
    std::uint32_t taps = 25;
    bool tells_path = true; ///< a note says which way "auto" takes; not where a pass adds this one
    Buffer result;

    static void describe(PassInfo<FilterConvolve>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
