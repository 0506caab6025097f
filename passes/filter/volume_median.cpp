#include "passes/filter/volume_median.hpp"

#include "passes/filter/array_checks.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kMaxMedianWindow = std::uint64_t{1} << 16;

bool is_cube_of_27(const FilterSize& window) {
    return window == FilterSize{3, 3, 3, 1};
}

} // namespace

void FilterVolumeMedian::describe(PassInfo<FilterVolumeMedian>& info) {
    info.summary(
            "Removes specks from arrays of one to four axes: each number becomes the median of "
            "a box around it")
        .details("Exact: every result is one of the numbers read. 3 x 3 x 3 is by forgetful "
                 "selection: of 15 of the 27 numbers neither the least nor the greatest is the "
                 "median, so both make room for the next. Other windows are by bisection of the "
                 "numbers' bits, 32 looks at the window. Zeros beyond the border count as numbers; "
                 "NaN counts as greater than all numbers, or less where its sign is set. "
                 "\"image/median\" is for pictures.\n\n"
                 "Errors: filter/empty, filter/too-short, filter/too-large, filter/kernel-size, "
                 "filter/no-result.")
        .source("Gaulin, \"GPU computation with Cg: 2-D filters and 3-D convolution\", UNC "
                "Charlotte, 2004")
        .complexity("O(numbers): some 400 minima and maxima a number for 3 x 3 x 3; else O(numbers "
                    "* window)")
        .cost([](const FilterVolumeMedian& pass, const Graph& graph) {
            const auto bytes = static_cast<double>(graph.desc(pass.result).size);
            const glm::uvec4 w = pass.window;
            const double most = 64.0 * static_cast<double>(w.x) * w.y * w.z * w.w;
            const bool cube = is_cube_of_27(as_filter_size(w));
            return Cost{.bytes = static_cast<double>(graph.desc(pass.source).size) + bytes,
                        .operations = 0.25 * bytes * (cube ? 400.0 : most)};
        });
    info.input("source", &FilterVolumeMedian::source, "f32, x fastest").elements<float>();
    info.parameter("size", &FilterVolumeMedian::size,
                   "numbers along x, y, z and w; x of 0: all that the source holds")
        .structural();
    info.parameter("batch", &FilterVolumeMedian::batch,
                   "arrays that follow one another, each by itself")
        .range(1, 1e9)
        .structural();
    info.parameter("window", &FilterVolumeMedian::window,
                   "numbers of the box along x, y, z and w: odd")
        .structural();
    info.parameter(
            "border", &FilterVolumeMedian::border,
            "what is read beyond it: zeros, the nearest number, the array mirrored (the last "
            "number repeated) or repeated; \"valid\": only results that read nothing there")
        .structural();
    info.output("result", &FilterVolumeMedian::result,
                "f32, of the source's size, or with \"valid\" window - 1 smaller")
        .elements<float>();
}

void FilterVolumeMedian::build(Graph& graph) {
    const std::uint64_t held = graph.desc(source).size / sizeof(float);
    const auto array = checked_arrays(graph, {.size = size, .batch = batch, .whole = held});
    if (!array) return;
    const FilterProblem problem{
        .size = *array, .batch = batch, .kernel_size = as_filter_size(window), .border = border};
    if (!checked_kernel_size(graph, "window", problem.kernel_size)) return;
    if (filter_count(problem.kernel_size) > kMaxMedianWindow) {
        graph.error("filter/kernel-size",
                    fmt::format("a window has at most {} numbers", kMaxMedianWindow),
                    "use a smaller window");
        return;
    }
    if (!has_results(graph, problem)) return;
    const FilterSize results = filter_result_size(problem);
    const std::uint64_t count = filter_count(results) * batch;
    const bool valid = border == FilterBorder::valid;
    const bool cube = is_cube_of_27(problem.kernel_size);
    ComputeNodeBuilder node =
        graph.compute("filter/volume_median", {{"WINDOW", cube ? "cube" : "any"}});
    node.specialize("border", static_cast<std::uint32_t>(border));
    node.read("source", source);
    node.set("size", as_vector(problem.size));
    node.set("result_size", as_vector(results));
    node.set("window", window);
    node.set("before", valid ? glm::uvec4(0) : window / 2u);
    node.set("count", static_cast<std::uint32_t>(count));
    result = node.write("result", filter_floats(graph, "result", count));
    node.dispatch_each(static_cast<std::uint32_t>(count));
}

TUFF_PASS(FilterVolumeMedian)

} // namespace tuff::passes
