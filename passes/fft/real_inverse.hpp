#pragma once

#include "passes/fft/array.hpp"

namespace tuff::passes {

/// The real numbers whose half spectrum, or product of two, is given. See `describe`.
struct FftRealInverse {
    static constexpr std::string_view kName = "fft/real_inverse";

    Buffer source;
    Buffer multiplier; ///< optional
    glm::uvec4 size{0, 1, 1, 1};
    std::uint32_t batch = 1;
    std::string axes = "xyzw";
    glm::uvec4 result_size{0};
    FftScale scale = FftScale::by_count;
    bool conjugate = false;
    Buffer result;

    static void describe(PassInfo<FftRealInverse>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
