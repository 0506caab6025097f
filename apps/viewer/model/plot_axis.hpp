#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tuff::viewer {

/// How high a bar of `count` is where the highest count is `most`: 0 to 1. `logarithmic`: by the
/// logarithm, with a single value as a bar that can be seen.
double bar_height(std::uint64_t count, std::uint64_t most, bool logarithmic);

/// Round numbers from `low` to `high` for an axis with room for `room` of them: steps of 1, 2 or 5
/// times a power of ten. None where the range is empty or not finite.
std::vector<double> axis_ticks(double low, double high, std::size_t room);

/// Counts to write beside an axis up to `most`, the highest first: `most` and its half, or `most`
/// and the powers of ten below it.
std::vector<std::uint64_t> count_ticks(std::uint64_t most, bool logarithmic);

} // namespace tuff::viewer
