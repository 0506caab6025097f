#include "passes/filter/array_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tuff::passes {
namespace {

/// Indices of kernels have 32 bits.
constexpr std::uint64_t kMaxArrayNumbers = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxArrayWeights = std::uint64_t{1} << 24;

/// The product, or nothing where it is more than `kMaxArrayNumbers`.
std::optional<std::uint64_t> array_count(const FilterSize& size, std::uint64_t times) {
    std::uint64_t count = times;
    if (count > kMaxArrayNumbers) return {};
    for (const std::uint32_t extent : size) {
        if (extent != 0 && count > kMaxArrayNumbers / extent) return {};
        count *= extent;
    }
    return count;
}

} // namespace

std::optional<FilterSize> checked_arrays(Graph& graph, const FilterArrays& arrays) {
    FilterSize size = as_filter_size(arrays.size);
    if (size[0] == 0) {
        const auto rows = array_count({1, size[1], size[2], size[3]}, arrays.batch);
        if (rows && *rows > 0)
            size[0] = static_cast<std::uint32_t>(
                std::min<std::uint64_t>(arrays.whole / *rows, kMaxArrayNumbers));
    }
    const auto count = array_count(size, arrays.batch);
    if (!count || *count > kMaxArrayNumbers / arrays.more) {
        graph.error("filter/too-large",
                    fmt::format("{} arrays of {} are more numbers than can be addressed",
                                arrays.batch, fmt::join(size, " x ")),
                    "filter parts, each by itself");
        return {};
    }
    if (*count == 0) {
        graph.error("filter/empty",
                    fmt::format("an array of {} has no numbers", fmt::join(size, " x ")),
                    "\"size\" has a number for each axis, 1 where there is none");
        return {};
    }
    if (arrays.whole >= *count) return size;
    graph.error("filter/too-short",
                fmt::format("\"source\" holds {} numbers, but {} are needed", arrays.whole, *count),
                "\"size\" and \"batch\" say how many there are");
    return {};
}

bool checked_kernel_size(Graph& graph, std::string_view parameter, const FilterSize& kernel_size) {
    if (std::ranges::all_of(kernel_size, [](std::uint32_t extent) { return extent % 2 == 1; })) {
        const auto count = array_count(kernel_size, 1);
        if (count && *count <= kMaxArrayWeights) return true;
        graph.error("filter/too-large",
                    fmt::format("\"{}\" is {}, more than {} weights", parameter,
                                fmt::join(kernel_size, " x "), kMaxArrayWeights),
                    "give a smaller kernel");
        return false;
    }
    graph.error(
        "filter/kernel-size",
        fmt::format("\"{}\" is {}: that has no middle", parameter, fmt::join(kernel_size, " x ")),
        "give odd numbers, 1 along axes that are not filtered");
    return false;
}

bool has_results(Graph& graph, const FilterProblem& problem) {
    if (filter_count(filter_result_size(problem)) > 0) return true;
    graph.error("filter/no-result",
                fmt::format("no neighbourhood of {} fits an array of {}",
                            fmt::join(problem.kernel_size, " x "), fmt::join(problem.size, " x ")),
                "choose another border than \"valid\"");
    return false;
}

bool holds_numbers(Graph& graph, std::string_view port, Buffer buffer, std::uint64_t count) {
    const std::uint64_t held = graph.desc(buffer).size / sizeof(float);
    if (held >= count) return true;
    graph.error("filter/too-short",
                fmt::format("\"{}\" holds {} numbers, but {} are needed", port, held, count),
                "its size is that of \"source\" or of the kernel");
    return false;
}

} // namespace tuff::passes
