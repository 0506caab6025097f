#include "passes/filter/bench_cases.hpp"
#include "passes/filter/bench_sums.hpp"
#include "passes/filter/convolve.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

/// filter/convolve by its ways, in two to four dimensions, for kernels of several sizes: where one
/// way overtakes another.
namespace tuff::bench {
namespace {

using passes::FilterPath;
using passes::FilterProblem;
using passes::FilterSize;

/// By a direct way a result's rounding error is measured by its own magnitude, by transforms by the
/// greatest one.
FilterSumError error_of(FilterPath path, double numbers) {
    const bool by_transforms = path == FilterPath::fft || path == FilterPath::tiles_fft;
    if (by_transforms) return {.of_greatest = 2e-6 * std::log2(numbers + 2.0)};
    return {.of_own_sum = 1e-6};
}

/// `size` numbers in so many dimensions: about a cube, and of a power of two powers of two. 2^26
/// numbers in four dimensions are 128^3 x 32.
FilterSize box_of(std::uint64_t size, std::uint32_t axes) {
    FilterSize box{1, 1, 1, 1};
    const auto bits = static_cast<std::uint32_t>(std::bit_width(size) - 1);
    const double side = std::pow(static_cast<double>(size), 1.0 / axes);
    for (std::uint32_t axis = 0; axis < axes; ++axis) {
        const bool last = axis + 1 == axes;
        const std::uint32_t power = 1u << (bits + axes - 1) / axes;
        const auto usual = std::has_single_bit(size) ? power : static_cast<std::uint32_t>(side);
        box[axis] = last ? static_cast<std::uint32_t>(size) : usual;
        size /= box[axis];
    }
    return box;
}

FilterSize cube_of(std::uint32_t side, std::uint32_t axes) {
    FilterSize cube{1, 1, 1, 1};
    std::fill_n(cube.begin(), axes, side);
    return cube;
}

/// What a case filters, and how.
struct Job {
    std::uint32_t axes;
    std::uint32_t side; ///< of the kernel
    std::uint32_t filters = 1;
    FilterPath path = FilterPath::tiled;
    enum class Kernel : std::uint8_t {
        any,
        product,   ///< of one-dimensional ones
        symmetric, ///< even and odd in turn, as quadrature filters are
    } kernel = Kernel::any;
};

float weight_of(const Job& job, std::uint64_t filter, std::uint64_t tap, std::uint64_t taps) {
    const auto random = [&](std::uint64_t i) {
        return static_cast<double>(hash_unit(filter * taps + i)) - 0.5;
    };
    double weight = random(tap);
    if (job.kernel == Job::Kernel::symmetric) {
        const std::uint64_t opposite = taps - 1 - tap;
        weight = random(std::min(tap, opposite));
        if (filter % 2 == 1) weight *= tap < opposite ? 1.0 : tap > opposite ? -1.0 : 0.0;
    } else if (job.kernel == Job::Kernel::product) {
        weight = 1.0;
        for (std::uint64_t rest = tap, axis = 0; axis < job.axes; ++axis, rest /= job.side)
            weight *= 1.0 + random(rest % job.side + 64 * axis);
    }
    return static_cast<float>(weight);
}

std::vector<float> weights_of(const Job& job, std::uint64_t taps) {
    std::vector<float> weights;
    for (std::uint64_t filter = 0; filter < job.filters; ++filter)
        for (std::uint64_t tap = 0; tap < taps; ++tap)
            weights.push_back(weight_of(job, filter, tap, taps));
    return weights;
}

void convolve(CaseBuilder& c, const Job& job) {
    FilterProblem problem{.size = box_of(c.size(), job.axes),
                          .kernel_size = cube_of(job.side, job.axes),
                          .filters = job.filters};
    problem.weights = weights_of(job, passes::filter_count(problem.kernel_size));
    const auto source = c.input<float>("source", passes::filter_count(problem.size), hash_unit);
    const auto vector = [](const FilterSize& s) { return glm::uvec4(s[0], s[1], s[2], s[3]); };
    const Buffer result = c.add(passes::FilterConvolve{.source = source.buffer,
                                                       .weights = problem.weights,
                                                       .size = vector(problem.size),
                                                       .kernel_size = vector(problem.kernel_size),
                                                       .filters = job.filters,
                                                       .path = job.path})
                              .result;
    const FilterSumError error =
        error_of(job.path, static_cast<double>(passes::filter_count(problem.size)));
    c.check<float>("result", result, [=](std::span<const float> got) {
        return are_filter_sums(got, problem, source.values(), problem.weights, error);
    });
}

std::string name_of_job(const Job& job) {
    std::string name =
        fmt::format("{}D {}^{} {}", job.axes, job.side, job.axes, passes::name_of(job.path));
    if (job.filters > 1) name += fmt::format(" {} filters", job.filters);
    if (job.kernel == Job::Kernel::symmetric) name += " even and odd";
    return name;
}

void add_job(CaseList& cases, const Job& job) {
    const double taps = std::pow(job.side, job.axes) * job.filters;
    // 2^34 products take a second on a software device.
    const double room = std::min(0x1p34 / taps, 0x1p20);
    cases.add({.pass = std::string(passes::FilterConvolve::kName),
               .name = name_of_job(job),
               .build = [job](CaseBuilder& c) { convolve(c, job); },
               .least = 16,
               .most = std::uint64_t{1} << 27,
               .most_on_software = static_cast<std::uint64_t>(room)});
}

} // namespace

void add_filter_convolve_cases(CaseList& cases) {
    const auto sides = std::to_array<std::vector<std::uint32_t>>(
        {{3, 5, 7, 9, 11, 13, 15, 17}, {3, 5, 7, 9, 11, 13, 15, 17}, {3, 5, 7, 9, 11}});
    for (std::uint32_t axes = 2; axes <= 4; ++axes)
        for (const std::uint32_t side : sides[axes - 2])
            for (const FilterPath path : {FilterPath::tiled, FilterPath::fft})
                add_job(cases, {.axes = axes, .side = side, .path = path});
    for (const std::uint32_t side : {7u, 9u, 11u, 13u, 15u, 17u, 21u, 25u, 29u, 31u})
        add_job(cases, {.axes = 2, .side = side, .path = FilterPath::tiles_fft});
    for (const std::uint32_t axes : {2u, 3u})
        for (const std::uint32_t side : {7u, 9u})
            for (const FilterPath path : {FilterPath::tiled, FilterPath::fft})
                add_job(cases, {.axes = axes, .side = side, .filters = 12, .path = path});
    for (const std::uint32_t side : {7u, 9u})
        add_job(cases, {.axes = 2, .side = side, .filters = 12, .path = FilterPath::tiles_fft});
    for (const std::uint32_t axes : {2u, 3u})
        for (const std::uint32_t side : {7u, 9u})
            add_job(cases,
                    {.axes = axes, .side = side, .filters = 12, .kernel = Job::Kernel::symmetric});
    for (const std::uint32_t axes : {2u, 3u})
        add_job(cases, {.axes = axes,
                        .side = 9,
                        .path = FilterPath::separable,
                        .kernel = Job::Kernel::product});
    for (const FilterPath path : {FilterPath::plain, FilterPath::plain_unrolled,
                                  FilterPath::texture, FilterPath::texture_unrolled})
        for (const std::uint32_t axes : {2u, 3u})
            add_job(cases, {.axes = axes, .side = 7, .path = path});
}

} // namespace tuff::bench
