#include "passes/filter/array_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tuff::passes {

std::optional<std::uint64_t> bounded_count(const FilterSize& size, std::uint64_t times,
                                           std::uint64_t most) {
    if (times == 0 || std::ranges::find(size, 0u) != size.end()) return 0;
    std::uint64_t count = times;
    if (count > most) return {};
    for (const std::uint32_t extent : size) {
        if (count > most / extent) return {};
        count *= extent;
    }
    return count;
}

std::optional<FilterSize> checked_arrays(Graph& graph, const FilterArrays& arrays) {
    FilterSize size = as_filter_size(arrays.size);
    if (size[0] == 0) {
        const auto rows = bounded_count({1, size[1], size[2], size[3]}, arrays.batch, arrays.most);
        if (!rows)
            size[0] = 1; // too many as they are
        else if (*rows > 0)
            size[0] =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(arrays.whole / *rows, ~0u));
    }
    const auto count = bounded_count(size, arrays.batch, arrays.most / arrays.more);
    if (!count) {
        graph.error("filter/too-large",
                    fmt::format("{} arrays of {} have more numbers than can be addressed",
                                arrays.batch, fmt::join(size, " x ")),
                    "filter parts of the array separately");
        return {};
    }
    if (*count == 0) {
        graph.error("filter/empty", fmt::format("an array of {} is empty", fmt::join(size, " x ")),
                    "set \"size\" to 1 or more for each axis, 1 for unused axes");
        return {};
    }
    if (arrays.whole >= *count) return size;
    graph.error("filter/too-short",
                fmt::format("\"source\" holds {} numbers, but {} are needed", arrays.whole, *count),
                "set \"size\" and \"batch\" to what the buffer holds");
    return {};
}

bool checked_kernel_size(Graph& graph, std::string_view parameter, const FilterSize& kernel_size,
                         std::uint32_t filters, std::uint64_t most) {
    if (std::ranges::any_of(kernel_size, [](std::uint32_t extent) { return extent % 2 == 0; })) {
        graph.error("filter/kernel-size",
                    fmt::format("\"{}\" is {}, which has no center", parameter,
                                fmt::join(kernel_size, " x ")),
                    "set odd numbers, 1 along axes that are not filtered; a row of zeros makes an "
                    "even kernel odd");
        return false;
    }
    if (bounded_count(kernel_size, filters, most)) return true;
    graph.error("filter/too-large",
                fmt::format("{} kernels of {} have more than {} weights", filters,
                            fmt::join(kernel_size, " x "), most),
                "use smaller kernels, or fewer");
    return false;
}

bool has_results(Graph& graph, const FilterProblem& problem) {
    if (filter_count(filter_result_size(problem)) > 0) return true;
    graph.error("filter/no-result",
                fmt::format("a kernel of {} does not fit into an array of {}",
                            fmt::join(problem.kernel_size, " x "), fmt::join(problem.size, " x ")),
                "choose a border other than \"valid\"");
    return false;
}

bool holds_numbers(Graph& graph, std::string_view port, Buffer buffer, std::uint64_t count) {
    const std::uint64_t held = graph.desc(buffer).size / sizeof(float);
    if (held >= count) return true;
    graph.error("filter/too-short",
                fmt::format("\"{}\" holds {} numbers, but {} are needed", port, held, count),
                "connect a buffer of the size of \"source\" or of the kernel");
    return false;
}

} // namespace tuff::passes
