#include "apps/bench/checks.hpp"
#include "passes/filter/bench_cases.hpp"
#include "passes/filter/bench_sums.hpp"
#include "passes/filter/ways.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

/// The ways that the thesis and the text compare, and those by transforms and matrices, on boxes of
/// random numbers with zeros around them.
namespace tuff::bench {
namespace {

using passes::FilterProblem;
using passes::FilterSize;
using FilterWay = std::function<Buffer(Graph&, Buffer, Buffer, const FilterProblem&)>;

constexpr FilterSumError kSingleError{.of_own_sum = 1e-6};
constexpr FilterSumError kHalfError{.of_own_sum = 2e-3};
constexpr FilterSumError kTransformError{.of_greatest = 6e-5};

struct FilterWayCase {
    FilterWay way;
    std::uint32_t axes = 3;
    std::uint32_t side = 3; ///< of the kernel
    std::uint32_t filters = 1;
    FilterSumError error = kSingleError;
};

FilterProblem way_problem(const CaseBuilder& c, const FilterWayCase& one) {
    const double side = std::pow(static_cast<double>(c.size()), 1.0 / one.axes);
    FilterProblem problem{.filters = one.filters};
    for (std::size_t axis = 0; axis < one.axes; ++axis) {
        problem.size[axis] = std::max(static_cast<std::uint32_t>(side + 1e-6), 2u);
        problem.kernel_size[axis] = one.side;
    }
    return problem;
}

void convolve_by(CaseBuilder& c, const FilterWayCase& one) {
    const FilterProblem problem = way_problem(c, one);
    const std::uint64_t count = passes::filter_count(problem.size);
    const std::uint64_t taps = passes::filter_count(problem.kernel_size);
    // Levels of 8 bits, for the way that packs them.
    const auto source = c.input<float>("source", count, [](std::uint64_t i) {
        return static_cast<float>(hash32(i) >> 24) / 255.0f;
    });
    const auto kernel = c.input<float>("kernel", taps * problem.filters, [](std::uint64_t i) {
        return 2.0f * hash_unit(i + 77) - 1.0f;
    });
    const Buffer result = one.way(c.graph(), source.buffer, kernel.buffer, problem);
    const auto numbers = static_cast<double>(count);
    const double results = numbers * problem.filters;
    c.set_cost({.bytes = 4.0 * (numbers + results),
                .operations = 2.0 * results * static_cast<double>(taps)});
    c.check<float>("result", result, [=](std::span<const float> got) {
        return are_filter_sums(got, problem, source.values(), kernel.values(), one.error);
    });
}

FilterWay multipass_way(std::uint32_t taps) {
    return [taps](Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem) {
        return passes::convolve_multipass(graph, source, kernel, problem, taps);
    };
}

} // namespace

void add_filter_way_cases(CaseList& cases) {
    const auto add = [&](std::string name, const FilterWayCase& one) {
        cases.add({.pass = "filter/convolve",
                   .name = std::move(name),
                   .build = [one](CaseBuilder& c) { convolve_by(c, one); },
                   .least = 512,
                   .most = std::uint64_t{1} << (one.filters > 1 ? 24 : 26),
                   .most_on_software = std::uint64_t{1} << 15});
    };
    for (const std::uint32_t side : {3u, 5u, 7u}) {
        const std::string size = fmt::format("3D {}^3", side);
        add(size + " accumulated", {.way = passes::convolve_accumulated, .side = side});
        add(size + " vectors", {.way = passes::convolve_vectors, .side = side});
        add(size + " packed", {.way = passes::convolve_packed, .side = side});
        add(size + " multipass", {.way = multipass_way(25), .side = side});
    }
    add("2D 17^2 tiles_fft of a device's weights",
        {.way = passes::convolve_tiles_fft, .axes = 2, .side = 17, .error = kTransformError});
    for (const std::uint32_t side : {25u, 31u}) {
        add(fmt::format("2D {}^2 tiled", side),
            {.way =
                 [](Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem) {
                     return passes::convolve_tiled(graph, source, kernel, problem);
                 },
             .axes = 2,
             .side = side});
        add(fmt::format("2D {}^2 fft", side),
            {.way = passes::convolve_fft, .axes = 2, .side = side, .error = kTransformError});
    }
    add("2D 9^2 matrix of 12 kernels",
        {.way = passes::convolve_matrix, .axes = 2, .side = 9, .filters = 12, .error = kHalfError});
    add("3D 9^3 matrix of 12 kernels",
        {.way = passes::convolve_matrix, .side = 9, .filters = 12, .error = kHalfError});
    add("3D 9^3 fft of 12 kernels",
        {.way = passes::convolve_fft, .side = 9, .filters = 12, .error = kTransformError});
}

} // namespace tuff::bench
