#include "passes/common/constant_array.hpp"
#include "passes/filter/array_checks.hpp"
#include "passes/filter/bilateral_ways.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

namespace tuff::passes {
namespace {

/// Results of a group, four an invocation.
constexpr std::uint32_t kBilateralTile = 1024;
/// Numbers of shared memory: 32 KiB.
constexpr std::uint64_t kMaxBilateralTile = 8192;
/// Many more are needed where slices have few numbers each: then tiles do not pay.
constexpr std::uint64_t kMaxBilateralGroups = std::uint64_t{1} << 22;

/// Along x; a tile of an array of one axis is a line.
std::uint32_t tile_width(const FilterProblem& problem) {
    if (problem.size[1] == 1) return kBilateralTile;
    return problem.size[1] < 16 ? 128 : 32;
}

/// What must hold beside what all filters of arrays need: filter/kernel-given, filter/too-short.
bool check_bilateral_kernel(Graph& graph, const FilterBilateral& pass,
                            const FilterProblem& problem) {
    if (!pass.kernel) return true;
    if (pass.method != BilateralMethod::direct) {
        graph.error("filter/kernel-given",
                    "a kernel is connected, but only the method \"direct\" takes one",
                    "disconnect \"kernel\"; \"sigma\" sets the width of the Gaussian");
        return false;
    }
    return holds_numbers(graph, "kernel", pass.kernel, filter_count(problem.kernel_size));
}

/// One axis after the other.
Buffer bilateral_separable(Graph& graph, Buffer source, const FilterProblem& problem,
                           const FilterBilateral& pass) {
    FilterProblem step = problem;
    for (std::size_t axis = 0; axis < 4; ++axis) {
        if (problem.kernel_size[axis] == 1) continue;
        step.kernel_size = {1, 1, 1, 1};
        step.kernel_size[axis] = problem.kernel_size[axis];
        const Buffer weights =
            constant_array(graph, "weights", gaussian_weights(step.kernel_size, pass.sigma));
        source = bilateral_direct(graph, source, weights, step, pass.sigma_range);
        step.size = filter_result_size(step);
    }
    return source;
}

/// The work of one result: an exponential counts as four operations.
double operations_of(const FilterBilateral& pass) {
    const glm::uvec4 k = pass.kernel_size;
    if (pass.method == BilateralMethod::separable) return 10.0 * (k.x + k.y + k.z + k.w);
    if (pass.method == BilateralMethod::grid) return 100.0;
    return 10.0 * static_cast<double>(k.x) * k.y * k.z * k.w;
}

} // namespace

std::vector<float> gaussian_weights(const FilterSize& kernel_size, glm::vec4 sigma) {
    std::vector<double> exact;
    for (std::uint64_t i = 0; i < filter_count(kernel_size); ++i) {
        double exponent = 0.0;
        std::uint64_t rest = i;
        for (int axis = 0; axis < 4; ++axis) {
            const std::uint32_t extent = kernel_size[static_cast<std::size_t>(axis)];
            const double from_middle = (static_cast<double>(rest % extent) - extent / 2) /
                                       static_cast<double>(sigma[axis]);
            exponent -= 0.5 * from_middle * from_middle;
            rest /= extent;
        }
        exact.push_back(std::exp(exponent));
    }
    const double sum = std::accumulate(exact.begin(), exact.end(), 0.0);
    std::vector<float> weights;
    for (const double weight : exact)
        weights.push_back(static_cast<float>(weight / sum));
    return weights;
}

Buffer bilateral_direct(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem,
                        float sigma_range) {
    const std::uint32_t width = tile_width(problem);
    const std::uint32_t height = kBilateralTile / width;
    const std::uint64_t loaded =
        std::uint64_t{width + problem.kernel_size[0] - 1} * (height + problem.kernel_size[1] - 1);
    const FilterSize size = filter_result_size(problem);
    const std::uint64_t count = filter_count(size) * problem.batch;
    const glm::uvec2 tiles((size[0] + width - 1) / width, (size[1] + height - 1) / height);
    const std::uint64_t groups =
        std::uint64_t{tiles.x} * tiles.y * size[2] * size[3] * problem.batch;
    const bool tiled = loaded <= kMaxBilateralTile && groups <= kMaxBilateralGroups;

    ComputeNodeBuilder node = graph.compute("filter/bilateral", {{"TILED", tiled}});
    node.specialize("border", static_cast<std::uint32_t>(problem.border));
    node.read("source", source);
    node.read("kernel", kernel);
    node.set("size", as_vector(problem.size));
    node.set("result_size", as_vector(size));
    node.set("kernel_size", as_vector(problem.kernel_size));
    const bool valid = problem.border == FilterBorder::valid;
    node.set("before", valid ? glm::uvec4(0) : as_vector(problem.kernel_size) / 2u);
    // w = exp2(-(difference * falloff)^2)
    node.set("falloff", static_cast<float>(std::sqrt(0.5 * std::numbers::log2e) /
                                           static_cast<double>(sigma_range)));
    const Buffer result = node.write("result", filter_floats(graph, "result", count));
    if (!tiled) {
        node.set("count", static_cast<std::uint32_t>(count));
        node.dispatch_each(static_cast<std::uint32_t>(count));
        return result;
    }
    node.specialize("tile_x", width);
    node.specialize("tile_y", height);
    node.specialize("loaded_count", static_cast<std::uint32_t>(loaded));
    node.set("tiles", tiles);
    node.set("count", static_cast<std::uint32_t>(groups));
    node.dispatch_each(static_cast<std::uint32_t>(groups) * node.group_size()[0]);
    return result;
}

void FilterBilateral::describe(PassInfo<FilterBilateral>& info) {
    info.summary("Smooths arrays of one to four axes and preserves edges")
        .details(
            "result[p] = sum of w source[p - f] / sum of w, w = kernel[f] exp(-(source[p - f] - "
            "source[p])^2 / (2 sigma_range^2)): the more a neighbour differs, the less it weighs. "
            "If \"sigma_range\" is much greater than all differences, this is a Gaussian filter. "
            "The weights depend on the numbers, so a product of spectra cannot compute it.\n\n"
            "Methods:\n\n- direct: every weight, as defined.\n- separable: along x, then y, z and "
            "w. Much less work for large kernels. It is an approximation, good where edges lie "
            "along axes; at slanted edges and corners results differ slightly.\n- grid: the "
            "bilateral grid. Numbers and their weights are summed in cells of an array with one "
            "more axis, the numbers' range; the cells are blurred, and the result is interpolated "
            "from them. The time hardly depends on \"sigma\". It is an approximation: numbers "
            "beyond \"range\" are clamped to it, and the Gaussian is not cut off at "
            "\"kernel_size\", which only selects the axes to filter.\n\nOn a disc and a ramp with "
            "noise, with a quarter of the step as \"sigma_range\", separable is within 51 dB of "
            "direct (PSNR), grid within 58 dB, with a \"cell\" of 0.5 within 74 dB.\n\nZeros "
            "beyond the border count as numbers. Numbers that are not finite have no weight for "
            "others and stay unchanged.\n\nErrors: filter/empty, filter/too-short, "
            "filter/too-large, filter/kernel-size, filter/kernel-given, filter/no-result, "
            "filter/bilateral-grid.")
        .source("Tomasi and Manduchi, \"Bilateral filtering for gray and color images\", ICCV "
                "1998; Pham and van Vliet, \"Separable bilateral filtering for fast video "
                "preprocessing\", ICME 2005; Chen, Paris and Durand, \"Real-time edge-aware image "
                "processing with the bilateral grid\", SIGGRAPH 2007")
        .complexity("direct: O(numbers * weights); separable: O(numbers * (weights along each "
                    "axis)); grid: O(numbers + cells)")
        .cost([](const FilterBilateral& pass, const Graph& graph) {
            const double numbers = static_cast<double>(graph.desc(pass.result).size) / 4.0;
            const double bytes = static_cast<double>(graph.desc(pass.source).size) + 4.0 * numbers;
            return Cost{.bytes = bytes, .operations = numbers * operations_of(pass)};
        });
    info.input("source", &FilterBilateral::source, "f32, x fastest").elements<float>();
    info.optional_input("kernel", &FilterBilateral::kernel,
                        "f32, x fastest, not negative: the spatial weights, instead of the "
                        "Gaussian of \"sigma\"; method direct")
        .elements<float>();
    info.parameter("size", &FilterBilateral::size,
                   "numbers along x, y, z and w; x = 0: all that the source holds")
        .structural();
    info.parameter("batch", &FilterBilateral::batch,
                   "number of consecutive arrays, filtered separately")
        .range(1, 1e9)
        .structural();
    info.parameter("kernel_size", &FilterBilateral::kernel_size,
                   "weights along x, y, z and w: odd numbers, 1 along axes that are not filtered")
        .structural();
    info.parameter("sigma", &FilterBilateral::sigma, "deviation of the Gaussian along each axis")
        .range(0.01, 10000.0)
        .unit("numbers")
        .structural();
    info.parameter("sigma_range", &FilterBilateral::sigma_range,
                   "difference of numbers at which a neighbour's weight is exp(-1/2)")
        .range(1e-18, 1e18)
        .structural();
    info.parameter(
            "border", &FilterBilateral::border,
            "values beyond the border: zeros, the nearest number, the array mirrored (the last "
            "number repeated) or repeated; \"valid\": only results that read nothing there")
        .structural();
    info.parameter("method", &FilterBilateral::method, "method; see the description").structural();
    info.parameter("range", &FilterBilateral::range, "grid: the least and the greatest number")
        .structural();
    info.parameter("cell", &FilterBilateral::cell,
                   "grid: width of the cells, in deviations: smaller is more exact")
        .range(0.1, 1.0)
        .structural();
    info.output("result", &FilterBilateral::result,
                "the filtered numbers, f32, of the source's size, or with \"valid\" kernel_size - "
                "1 smaller")
        .elements<float>();
}

void FilterBilateral::build(Graph& graph) {
    const std::uint64_t held = graph.desc(source).size / sizeof(float);
    const auto array = checked_arrays(graph, {.size = size, .batch = batch, .whole = held});
    if (!array) return;
    const FilterProblem problem{.size = *array,
                                .batch = batch,
                                .kernel_size = as_filter_size(kernel_size),
                                .border = border};
    if (!checked_kernel_size(graph, "kernel_size", problem.kernel_size)) return;
    if (!has_results(graph, problem)) return;
    if (!check_bilateral_kernel(graph, *this, problem)) return;
    switch (method) {
    case BilateralMethod::direct: {
        const Buffer weights =
            kernel ? kernel
                   : constant_array(graph, "weights", gaussian_weights(problem.kernel_size, sigma));
        result = bilateral_direct(graph, source, weights, problem, sigma_range);
        break;
    }
    case BilateralMethod::separable:
        result = bilateral_separable(graph, source, problem, *this);
        break;
    case BilateralMethod::grid:
        if (const auto grid = bilateral_grid(graph, *this, problem))
            result = bilateral_by_grid(graph, *this, problem, *grid);
        break;
    }
}

TUFF_PASS(FilterBilateral)

} // namespace tuff::passes
