#include "apps/bench/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace tuff::bench {

double Summary::spread() const {
    return median > 0.0 ? (high - low) / (2.0 * median) : 0.0;
}

double quantile(const std::vector<double>& sorted, double fraction) {
    if (sorted.empty()) return 0.0;
    const double position = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

Summary summarise(std::vector<double> samples) {
    std::ranges::sort(samples);
    return {.median = quantile(samples, 0.5),
            .low = quantile(samples, 0.1),
            .high = quantile(samples, 0.9),
            .samples = samples.size()};
}

} // namespace tuff::bench
