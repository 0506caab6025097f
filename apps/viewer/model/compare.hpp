#pragma once

#include <tuff/image.hpp>

#include <cstdint>

namespace tuff::viewer {

/// How two pictures are shown beside each other.
enum class Comparison : std::uint8_t { off, split, difference };
inline constexpr const char* kComparisonNames[] = {"off", "split", "difference"};

/// One picture of A and B, in B's size. `split`: A left of the column at `line` (0 to 1 of the
/// width), B from there on. `difference`: |A - B| a channel, alpha 1, in 32-bit floats. An A of
/// another size is sampled at the nearest texels. Where formats differ, both are taken as linear
/// light. Precondition: both have depth 1 and texels.
HostImage compared(const HostImage& a, const HostImage& b, Comparison how, float line);

/// The largest difference of a channel, and the mean over all texels and colour channels.
struct DifferenceSummary {
    double most = 0.0, mean = 0.0;
    std::uint64_t texels = 0; ///< that differ
};
DifferenceSummary difference_summary(const HostImage& difference);

} // namespace tuff::viewer
