#pragma once

#include <cstddef>
#include <vector>

namespace tuff::bench {

/// What repeated measurements of one thing say about it.
struct Summary {
    double median = 0.0;
    double low = 0.0;  ///< a tenth of the samples is below
    double high = 0.0; ///< a tenth is above
    std::size_t samples = 0;

    /// Half the distance from `low` to `high` as a share of the median: 0.01 is plus or minus one
    /// percent. Zero where the median is.
    double spread() const;
};

/// The quantile of sorted samples, 0 to 1, interpolated linearly between its neighbours (type 7 of
/// Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996). Zero without samples.
double quantile(const std::vector<double>& sorted, double fraction);

/// Zeros without samples.
Summary summarise(std::vector<double> samples);

} // namespace tuff::bench
