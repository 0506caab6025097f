#include "passes/filter/request.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/filter/array_checks.hpp"
#include "passes/filter/weights.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kMaxFilterNumbers = kMaxResourceBytes / sizeof(float);
constexpr std::uint64_t kMaxFilterWeights = std::uint64_t{1} << 28;

/// Reports filter/kernel-size, filter/no-result and filter/too-large.
bool check_kernel_and_results(Graph& graph, const FilterProblem& problem) {
    if (!checked_kernel_size(graph, "kernel_size", problem.kernel_size, problem.filters,
                             kMaxFilterWeights) ||
        !has_results(graph, problem))
        return false;
    const FilterSize result = filter_result_size(problem);
    const std::uint64_t results = std::uint64_t{problem.batch} * problem.filters;
    if (bounded_count(result, results, kMaxFilterNumbers)) return true;
    graph.error("filter/too-large",
                fmt::format("{} results of {} have more numbers than can be addressed", results,
                            fmt::join(result, " x ")),
                "filter parts of the array separately");
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
                    "either connect \"kernel\", or write \"weights\", x fastest");
        return {};
    }
    const std::uint64_t count = filter_count(problem.kernel_size) * problem.filters;
    if (!pass.kernel && pass.weights.size() != count) {
        graph.error("filter/weights",
                    fmt::format("\"weights\" has {} numbers, but {} kernels of {} need {}",
                                pass.weights.size(), problem.filters,
                                fmt::join(problem.kernel_size, " x "), count),
                    "write all weights of a kernel, x fastest, one kernel after the other");
        return {};
    }
    if (pass.kernel && !holds_numbers(graph, "kernel", pass.kernel, count)) return {};
    problem.weights = pass.kernel ? constant_numbers(graph, pass.kernel, count) : pass.weights;
    const auto wrong =
        std::ranges::find_if_not(problem.weights, [](float w) { return std::isfinite(w); });
    if (wrong != problem.weights.end()) {
        graph.error("filter/not-finite",
                    fmt::format("weight {} is {}", wrong - problem.weights.begin(), *wrong),
                    "write finite numbers");
        return {};
    }
    return pass.kernel ? pass.kernel : constant_array(graph, "weights", pass.weights);
}

} // namespace

std::optional<FilterRequest> checked_request(Graph& graph, const FilterConvolve& pass) {
    const std::uint64_t held = graph.desc(pass.source).size / sizeof(float);
    const auto size = checked_arrays(
        graph, {.size = pass.size, .batch = pass.batch, .whole = held, .most = kMaxFilterNumbers});
    if (!size) return {};
    FilterRequest request{.problem = {.size = *size,
                                      .batch = pass.batch,
                                      .kernel_size = as_filter_size(pass.kernel_size),
                                      .filters = pass.filters,
                                      .border = pass.border,
                                      .correlate = pass.correlate},
                          .kernel = {}};
    if (!check_kernel_and_results(graph, request.problem)) return {};
    const auto kernel = checked_kernel_of(graph, pass, request.problem);
    if (!kernel) return {};
    request.kernel = *kernel;
    return request;
}

} // namespace tuff::passes
