#include "passes/filter/request.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/filter/weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kMaxFilterNumbers = kMaxResourceBytes / sizeof(float);
constexpr std::uint64_t kMaxFilterWeights = std::uint64_t{1} << 28;

std::string text_of_size(const FilterSize& size) {
    return fmt::format("{} x {} x {} x {}", size[0], size[1], size[2], size[3]);
}

FilterSize filter_size(glm::uvec4 size) {
    return {size.x, size.y, size.z, size.w};
}

/// The product, or nothing where it is more than `most`.
std::optional<std::uint64_t> bounded_count(const FilterSize& size, std::uint64_t times,
                                           std::uint64_t most) {
    std::uint64_t count = times;
    if (count > most) return {};
    for (const std::uint32_t extent : size) {
        if (extent != 0 && count > most / extent) return {};
        count *= extent;
    }
    return count;
}

/// Reports filter/too-large.
void report_too_large(Graph& graph, const FilterSize& size, std::string_view what,
                      std::uint64_t times) {
    graph.error("filter/too-large",
                fmt::format("{} {} of {} are more numbers than can be addressed", times, what,
                            text_of_size(size)),
                "filter parts, each by itself");
}

/// Derives size.x, and reports filter/too-large, filter/empty and filter/too-short.
bool check_size(Graph& graph, Buffer source, FilterProblem& problem) {
    const std::uint64_t held = graph.desc(source).size / sizeof(float);
    FilterSize& size = problem.size;
    if (size[0] == 0) {
        FilterSize others = size;
        others[0] = 1;
        const auto rows = bounded_count(others, problem.batch, kMaxFilterNumbers);
        if (!rows) return report_too_large(graph, size, "arrays", problem.batch), false;
        if (*rows > 0)
            size[0] = static_cast<std::uint32_t>(std::min<std::uint64_t>(held / *rows, ~0u));
    }
    const auto count = bounded_count(size, problem.batch, kMaxFilterNumbers);
    if (!count) return report_too_large(graph, size, "arrays", problem.batch), false;
    if (*count == 0) {
        graph.error("filter/empty",
                    fmt::format("an array of {} has no numbers", text_of_size(size)),
                    "\"size\" has a number for each axis, 1 where there is none");
        return false;
    }
    if (held >= *count) return true;
    graph.error("filter/too-short",
                fmt::format("\"source\" holds {} numbers, but {} are needed", held, *count),
                "\"size\" and \"batch\" say how many there are");
    return false;
}

/// Reports filter/kernel-size, filter/no-result and filter/too-large.
bool check_kernel_size(Graph& graph, const FilterProblem& problem) {
    for (const std::uint32_t extent : problem.kernel_size) {
        if (extent % 2 == 1) continue;
        graph.error("filter/kernel-size",
                    fmt::format("a kernel of {} has no weight in its middle",
                                text_of_size(problem.kernel_size)),
                    "\"kernel_size\" has odd numbers, 1 along axes that are not filtered; a row of "
                    "zeros makes an even kernel odd");
        return false;
    }
    if (!bounded_count(problem.kernel_size, problem.filters, kMaxFilterWeights)) {
        report_too_large(graph, problem.kernel_size, "kernels", problem.filters);
        return false;
    }
    const FilterSize result = filter_result_size(problem);
    if (filter_count(result) == 0) {
        graph.error("filter/no-result",
                    fmt::format("no neighbourhood of {} fits an array of {}",
                                text_of_size(problem.kernel_size), text_of_size(problem.size)),
                    "choose another border than \"valid\"");
        return false;
    }
    const std::uint64_t results = std::uint64_t{problem.batch} * problem.filters;
    if (bounded_count(result, results, kMaxFilterNumbers)) return true;
    report_too_large(graph, result, "results", results);
    return false;
}

/// The weights of the parameter or the port. Reports filter/kernel-given, filter/weights,
/// filter/too-short and filter/not-finite.
std::optional<Buffer> checked_kernel_of(Graph& graph, const FilterConvolve& pass,
                                        FilterProblem& problem) {
    if (bool(pass.kernel) == !pass.weights.empty()) {
        graph.error("filter/kernel-given",
                    pass.kernel ? "both \"kernel\" and \"weights\" are given"
                                : "neither \"kernel\" nor \"weights\" is given",
                    "connect \"kernel\", or write the weights, x first");
        return {};
    }
    const std::uint64_t count = filter_count(problem.kernel_size) * problem.filters;
    if (!pass.kernel && pass.weights.size() != count) {
        graph.error("filter/weights",
                    fmt::format("\"weights\" has {} numbers, but {} kernels of {} have {}",
                                pass.weights.size(), problem.filters,
                                text_of_size(problem.kernel_size), count),
                    "write all weights of a kernel, x first, one kernel behind the other");
        return {};
    }
    const std::uint64_t held = graph.desc(pass.kernel).size / sizeof(float);
    if (pass.kernel && held < count) {
        graph.error("filter/too-short",
                    fmt::format("\"kernel\" holds {} numbers, but {} are needed", held, count),
                    "\"kernel_size\" and \"filters\" say how many there are");
        return {};
    }
    problem.weights = pass.kernel ? constant_numbers(graph, pass.kernel, count) : pass.weights;
    const auto wrong =
        std::ranges::find_if_not(problem.weights, [](float w) { return std::isfinite(w); });
    if (wrong != problem.weights.end()) {
        graph.error("filter/not-finite",
                    fmt::format("weight {} is {}", wrong - problem.weights.begin(), *wrong),
                    "weights are finite numbers");
        return {};
    }
    return pass.kernel ? pass.kernel : constant_array(graph, "weights", pass.weights);
}

} // namespace

std::optional<FilterRequest> checked_request(Graph& graph, const FilterConvolve& pass) {
    FilterRequest request{.problem = {.size = filter_size(pass.size),
                                      .batch = pass.batch,
                                      .kernel_size = filter_size(pass.kernel_size),
                                      .filters = pass.filters,
                                      .border = pass.border,
                                      .correlate = pass.correlate},
                          .kernel = {}};
    if (!check_size(graph, pass.source, request.problem)) return {};
    if (!check_kernel_size(graph, request.problem)) return {};
    const auto kernel = checked_kernel_of(graph, pass, request.problem);
    if (!kernel) return {};
    request.kernel = *kernel;
    return request;
}

} // namespace tuff::passes
