#include "model/plot_axis.hpp"

#include <algorithm>
#include <cmath>

namespace tuff::viewer {

double bar_height(std::uint64_t count, std::uint64_t most, bool logarithmic) {
    if (count == 0 || most == 0) return 0.0;
    const double share = static_cast<double>(count) / static_cast<double>(most);
    if (!logarithmic) return share;
    return std::log2(static_cast<double>(count) + 1.0) / std::log2(static_cast<double>(most) + 1.0);
}

std::vector<double> axis_ticks(double low, double high, std::size_t room) {
    std::vector<double> ticks;
    if (!(high > low) || !std::isfinite(high - low) || room == 0) return ticks;
    const double least = (high - low) / static_cast<double>(room);
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    double step = 10.0 * power;
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1.0 - 1e-9)) {
            step = factor * power;
            break;
        }
    const double first = std::ceil(low / step - 1e-9);
    // Sums of steps would gather errors.
    for (double i = first; i * step <= high + step * 1e-9 && ticks.size() <= room; ++i)
        ticks.push_back(i * step + 0.0); // no -0
    return ticks;
}

std::vector<std::uint64_t> count_ticks(std::uint64_t most, bool logarithmic) {
    std::vector<std::uint64_t> ticks;
    if (most == 0) return ticks;
    ticks.push_back(most);
    if (!logarithmic) {
        if (most > 1) ticks.push_back(most / 2);
        return ticks;
    }
    std::uint64_t power = 1;
    while (power <= (most - 1) / 10)
        power *= 10;
    for (; power > 0 && power < most; power /= 10)
        ticks.push_back(power);
    return ticks;
}

} // namespace tuff::viewer
