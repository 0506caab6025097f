#include "passes/filter/crossovers.hpp"

#include "passes/fft/array.hpp"
#include "passes/fft/lengths.hpp"
#include "passes/filter/tiled.hpp"
#include "passes/filter/weights.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

enum class Kind : std::uint8_t { gpu, software };
/// One transform of the source serves all filters.
enum class Filters : std::uint8_t { one, many };

constexpr double kNever = 1e9;

/// Weights from which transforms of tiles are the fastest, of kernels that suit them
/// (`suits_tiles_fft`). The host makes the spectra of weights that it knows, else a dispatch does.
struct TilesFrom {
    double of_host = kNever;
    double of_device = kNever;
};

/// Where one way becomes faster than another, by the axes that a kernel extends along.
struct Crossover {
    Kind kind;
    std::uint32_t axes;
    Filters filters;
    double transforms_from;      ///< weights of a filter
    double one_dimensional_from; ///< weights of a filter that is a product
    TilesFrom tiles_from{};
};

constexpr Crossover kCrossovers[] = {
    // Measured on an H200 for 2048^2, 256^3 and 90^4 numbers, between the sides of `tuff bench
    // filter/convolve`; those of many filters for twelve. Tiles of numbers take 37 us for 9^2
    // weights, 44 for 11^2 and 81 for 17^2, transforms of tiles 38, 39 and 46, and 11 more for a
    // device's weights; for twelve filters of 7^2 and 9^2 217 and 286 us, and 200 and 229.
    // Not measured: one axis, and many in four.
    {Kind::gpu, 1, Filters::one, 65, kNever},
    {Kind::gpu, 1, Filters::many, 65, kNever},
    {Kind::gpu, 2, Filters::one, 1000, 121, {121, 225}},
    {Kind::gpu, 2, Filters::many, 480, 121, {81, 81}},
    {Kind::gpu, 3, Filters::one, 1200, 200},
    {Kind::gpu, 3, Filters::many, 700, 200},
    {Kind::gpu, 4, Filters::one, 1000, 81},
    {Kind::gpu, 4, Filters::many, 700, 81},
    // Measured on SwiftShader for 4,096 numbers, in two to four dimensions.
    {Kind::software, 1, Filters::one, 65, kNever},
    {Kind::software, 1, Filters::many, 65, kNever},
    {Kind::software, 2, Filters::one, 64, 49},
    {Kind::software, 2, Filters::many, 64, 49},
    {Kind::software, 3, Filters::one, 150, 49},
    {Kind::software, 3, Filters::many, 150, 49},
    {Kind::software, 4, Filters::one, 150, 81},
    {Kind::software, 4, Filters::many, 150, 81},
};
/// Products of a problem that a GPU has done before transforms have begun: they take several
/// dispatches.
constexpr double kFewProducts = 2.5e8;

std::uint32_t axes_of(const FilterSize& kernel_size) {
    const auto axes = std::ranges::count_if(kernel_size, [](std::uint32_t n) { return n > 1; });
    return std::max(static_cast<std::uint32_t>(axes), 1u);
}

const Crossover& crossover_of(const DeviceCaps& target, const FilterProblem& problem) {
    const Kind kind = target.type == DeviceType::cpu ? Kind::software : Kind::gpu;
    const Filters filters = problem.filters > 1 ? Filters::many : Filters::one;
    return *std::ranges::find_if(kCrossovers, [&](const Crossover& row) {
        return row.kind == kind && row.axes == axes_of(problem.kernel_size) &&
               row.filters == filters;
    });
}

/// Whether `convolve_fft` can address and bind its spectra, and has the memory for them.
bool can_be_transformed(const DeviceCaps& target, const FilterProblem& problem) {
    if (!fft_count(problem.size, problem.batch)) return false; // so that no sum overflows
    FilterSize padded{};
    for (std::size_t axis = 0; axis < padded.size(); ++axis)
        padded[axis] = next_fft_length(problem.size[axis] + problem.kernel_size[axis] - 1);
    padded[0] += 2; // half a spectrum has a number more than half of them
    const auto numbers = fft_count(padded, std::uint64_t{problem.batch} * problem.filters);
    if (!numbers) return false;
    const std::uint64_t bytes = *numbers * sizeof(float);
    // The kernels and their spectra, the sources' and the products.
    return bytes <= target.max_storage_buffer_bytes && 4 * bytes <= target.device_memory_bytes;
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

    const double products =
        taps * static_cast<double>(filter_count(problem.size)) * problem.batch * problem.filters;
    const bool few = row.kind == Kind::gpu && products < kFewProducts;
    const double tiles_from =
        problem.weights.empty() ? row.tiles_from.of_device : row.tiles_from.of_host;
    if (taps >= tiles_from && !few && suits_tiles_fft(problem))
        return {
            FilterPath::tiles_fft,
            fmt::format("{}, and transforms of tiles are faster from {} on", weights, tiles_from)};

    const bool transforms = can_be_transformed(target, problem);
    const FilterPath direct = direct_path(target, problem);
    if (!transforms) return {direct, "the spectra do not fit into the device's memory"};
    if (direct == FilterPath::plain && row.kind == Kind::gpu)
        return {FilterPath::fft, weights + " and their halo do not fit shared memory"};
    if (taps < row.transforms_from)
        return {direct, fmt::format("{}, and transforms are faster from {} on", weights,
                                    row.transforms_from)};
    if (few) return {direct, "so few products take less time than transforms"};
    return {FilterPath::fft,
            fmt::format("{}, and transforms are faster from {} on", weights, row.transforms_from)};
}

FilterPath direct_path(const DeviceCaps& target, const FilterProblem& problem) {
    if (target.type == DeviceType::cpu) return FilterPath::plain;
    const FilterTask task = squeezed(problem, whole_window(problem));
    return tile_shape(target, task.problem, task.window) ? FilterPath::tiled : FilterPath::plain;
}

} // namespace tuff::passes
