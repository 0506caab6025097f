#include "passes/oit/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tuff::passes {
namespace {

constexpr std::size_t kMaxModes = 256; // as in oit/capture.frag

} // namespace

bool modes_are_valid(Graph& graph, const std::vector<float>& modes) {
    if (modes.size() > kMaxModes) {
        graph.error("pass/out-of-range",
                    fmt::format("\"modes\" has {} numbers, more than {}", modes.size(), kMaxModes));
        return false;
    }
    return std::ranges::all_of(modes, [&](float mode) {
        if (mode == std::floor(mode) && mode >= 0.0f && mode <= 3.0f) return true;
        graph.error("pass/out-of-range",
                    fmt::format("\"modes\" has the number {}, not 0, 1, 2 or 3", mode));
        return false;
    });
}

std::array<glm::uvec4, 4> packed_modes(const std::vector<float>& modes) {
    std::array<glm::uvec4, 4> packed{};
    for (std::size_t i = 0; i < modes.size(); ++i)
        packed[i / 64][static_cast<int>(i / 16 % 4)] |= static_cast<std::uint32_t>(modes[i])
                                                        << (2 * (i % 16));
    return packed;
}

} // namespace tuff::passes
