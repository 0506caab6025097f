#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace tuff::cli {

/// Of the grids of `count` processes one whose parts of a field have the least surface; none where
/// there are too few cells.
std::optional<std::array<std::uint32_t, 3>> best_grid(const std::array<std::uint32_t, 3>& cells,
                                                      std::uint32_t count);

} // namespace tuff::cli
