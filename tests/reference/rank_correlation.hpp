#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

/// How well two lists of numbers agree about an order.
namespace tuff::reference {

/// Equal numbers share their ranks.
inline std::vector<double> ranks_of(const std::vector<double>& numbers) {
    std::vector<std::size_t> order(numbers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return numbers[i]; });
    std::vector<double> ranks(numbers.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() && numbers[order[end]] == numbers[order[i]])
            ++end;
        for (std::size_t k = i; k < end; ++k)
            ranks[order[k]] = 0.5 * static_cast<double>(i + end - 1);
        i = end;
    }
    return ranks;
}

/// Spearman's. 0 where all numbers of a list are equal, so that there is no order.
inline double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const std::vector<double> x = ranks_of(a);
    const std::vector<double> y = ranks_of(b);
    const double middle = 0.5 * (static_cast<double>(a.size()) - 1.0);
    double xx = 0.0;
    double xy = 0.0;
    double yy = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - middle) * (x[i] - middle);
        xy += (x[i] - middle) * (y[i] - middle);
        yy += (y[i] - middle) * (y[i] - middle);
    }
    return xx * yy > 0.0 ? xy / std::sqrt(xx * yy) : 0.0;
}

} // namespace tuff::reference
