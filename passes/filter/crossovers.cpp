#include "passes/filter/crossovers.hpp"

#include "passes/fft/array.hpp"
#include "passes/filter/tiled.hpp"
#include "passes/filter/weights.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

/// Where one way becomes faster than another, by the axes that a kernel extends along.
struct Crossover {
    bool software;
    std::uint32_t axes;
    bool many;                   ///< more than one filter: one transform of the source serves all
    double transforms_from;      ///< weights of a filter
    double one_dimensional_from; ///< weights of a filter that is a product
};

// Expected, not measured: 13^2, 8^3 and 6^4 weights for one filter on a GPU that reaches 60 % of
// its rate of multiplications; half for many, since a filter then takes one transform of two.
constexpr Crossover kCrossovers[] = {
    {.software = false,
     .axes = 1,
     .many = false,
     .transforms_from = 65,
     .one_dimensional_from = 1e9},
    {.software = false,
     .axes = 1,
     .many = true,
     .transforms_from = 65,
     .one_dimensional_from = 1e9},
    {.software = false,
     .axes = 2,
     .many = false,
     .transforms_from = 169,
     .one_dimensional_from = 49},
    {.software = false, .axes = 2, .many = true, .transforms_from = 85, .one_dimensional_from = 49},
    {.software = false,
     .axes = 3,
     .many = false,
     .transforms_from = 512,
     .one_dimensional_from = 27},
    {.software = false,
     .axes = 3,
     .many = true,
     .transforms_from = 256,
     .one_dimensional_from = 27},
    {.software = false,
     .axes = 4,
     .many = false,
     .transforms_from = 1296,
     .one_dimensional_from = 81},
    {.software = false,
     .axes = 4,
     .many = true,
     .transforms_from = 648,
     .one_dimensional_from = 81},
    {.software = true,
     .axes = 1,
     .many = false,
     .transforms_from = 65,
     .one_dimensional_from = 1e9},
    {.software = true, .axes = 1, .many = true, .transforms_from = 65, .one_dimensional_from = 1e9},
    {.software = true,
     .axes = 2,
     .many = false,
     .transforms_from = 169,
     .one_dimensional_from = 25},
    {.software = true, .axes = 2, .many = true, .transforms_from = 85, .one_dimensional_from = 25},
    {.software = true,
     .axes = 3,
     .many = false,
     .transforms_from = 512,
     .one_dimensional_from = 27},
    {.software = true, .axes = 3, .many = true, .transforms_from = 256, .one_dimensional_from = 27},
    {.software = true,
     .axes = 4,
     .many = false,
     .transforms_from = 1296,
     .one_dimensional_from = 81},
    {.software = true, .axes = 4, .many = true, .transforms_from = 648, .one_dimensional_from = 81},
};
/// Products of a problem that is done before transforms have begun: they take several dispatches.
constexpr double kFewProducts = 2.5e8;

std::uint32_t axes_of(const FilterSize& kernel_size) {
    const auto axes = std::ranges::count_if(kernel_size, [](std::uint32_t n) { return n > 1; });
    return std::max(static_cast<std::uint32_t>(axes), 1u);
}

const Crossover& crossover_of(const DeviceCaps& target, const FilterProblem& problem) {
    const bool software = target.type == DeviceType::cpu;
    return *std::ranges::find_if(kCrossovers, [&](const Crossover& row) {
        return row.software == software && row.axes == axes_of(problem.kernel_size) &&
               row.many == (problem.filters > 1);
    });
}

/// Whether the padded arrays can be addressed.
bool can_be_transformed(const FilterProblem& problem) {
    if (!fft_count(problem.size, problem.batch)) return false; // so that the sums do not overflow
    FilterSize padded = problem.size;
    for (std::size_t axis = 0; axis < padded.size(); ++axis)
        padded[axis] += problem.kernel_size[axis] - 1;
    return fft_count(padded, std::uint64_t{2} * problem.batch).has_value();
}

} // namespace

std::string_view name_of(FilterPath path) {
    return ChoiceNames<FilterPath>::names[static_cast<std::size_t>(path)];
}

FilterChoice choose_path(const DeviceCaps& target, const FilterProblem& problem) {
    const Crossover& row = crossover_of(target, problem);
    const auto taps = static_cast<double>(filter_count(problem.kernel_size));
    const std::string weights =
        fmt::format("{} weights along {} {}", taps, row.axes, row.axes == 1 ? "axis" : "axes");
    if (taps >= row.one_dimensional_from && filter_factors(problem))
        return {FilterPath::separable, weights + " are a product of one-dimensional kernels"};

    const FilterTask task = squeezed(problem, whole_window(problem));
    const bool fits_tiles = tile_shape(target, task.problem, task.window).has_value();
    const double products =
        taps * static_cast<double>(filter_count(problem.size)) * problem.batch * problem.filters;
    const bool transforms = can_be_transformed(problem);
    if (!fits_tiles && !transforms)
        return {FilterPath::plain, weights + " fit neither shared memory nor a transform"};
    if (!fits_tiles) return {FilterPath::fft, weights + " and their halo do not fit shared memory"};
    if (taps < row.transforms_from)
        return {FilterPath::tiled, fmt::format("{}, and transforms are faster from {} on", weights,
                                               row.transforms_from)};
    if (products < kFewProducts)
        return {FilterPath::tiled, "so few products are done before transforms have begun"};
    if (!transforms)
        return {FilterPath::tiled, "the padded arrays are more than a transform can address"};
    return {FilterPath::fft,
            fmt::format("{}, and transforms are faster from {} on", weights, row.transforms_from)};
}

} // namespace tuff::passes
