#include "passes/filter/volume_median.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/filter/array_checks.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kMaxMedianWindow = std::uint64_t{1} << 16;

/// The largest windows that are selected from in registers. On software devices registers are
/// memory, and much unrolled code takes long to compile.
constexpr std::uint64_t kMaxSelected = 125;
constexpr std::uint64_t kMaxSelectedOnSoftware = 27;
constexpr std::uint64_t kMedianTileBytes = 32 * 1024;

/// How a group of 256 invocations selects: see shaders/filter/volume_median.comp.
struct MedianGroup {
    std::uint32_t results = 1; ///< of an invocation, along x
    glm::uvec3 invocations{256, 1, 1};
};

/// Nothing where bisection is the way.
std::optional<MedianGroup> median_group(const DeviceCaps& target, const FilterProblem& problem) {
    const FilterSize& window = problem.kernel_size;
    const std::uint64_t count = filter_count(window);
    const bool software = target.type == DeviceType::cpu;
    if (count > (software ? kMaxSelectedOnSoftware : kMaxSelected)) return {};
    MedianGroup group;
    const FilterSize size = filter_result_size(problem);
    if (size[2] > 1)
        group.invocations = {8, 8, 4};
    else if (size[1] > 1)
        group.invocations = {16, 16, 1};
    // Half of a window and two more are needed at once.
    if (count - count / window[0] >= count / 2 + 2) group.results = 2;
    std::uint64_t numbers = window[3];
    for (int axis = 0; axis < 3; ++axis)
        numbers *= group.invocations[axis] * (axis == 0 ? group.results : 1) +
                   window[static_cast<std::size_t>(axis)] - 1;
    if (numbers * sizeof(float) > kMedianTileBytes) return {};
    return group;
}

/// What both methods are told.
void set_median(ComputeNodeBuilder& node, const FilterProblem& problem) {
    const bool valid = problem.border == FilterBorder::valid;
    node.specialize("border", static_cast<std::uint32_t>(problem.border));
    node.set("size", as_vector(problem.size));
    node.set("result_size", as_vector(filter_result_size(problem)));
    node.set("before", valid ? glm::uvec4(0) : as_vector(problem.kernel_size) / 2u);
}

Buffer select_medians(Graph& graph, Buffer source, const FilterProblem& problem,
                      const MedianGroup& group) {
    const FilterSize size = filter_result_size(problem);
    ComputeNodeBuilder node = graph.compute("filter/volume_median", {{"METHOD", "selection"}});
    constexpr std::array<std::string_view, 4> kSides{"window_x", "window_y", "window_z",
                                                     "window_w"};
    for (std::size_t axis = 0; axis < 4; ++axis)
        node.specialize(kSides[axis], problem.kernel_size[axis]);
    node.specialize("results", group.results);
    node.specialize("columns", group.invocations.x);
    node.specialize("lines", group.invocations.y);
    node.specialize("slices", group.invocations.z);
    node.read("source", source);
    set_median(node, problem);
    const glm::uvec3 tiles(div_round_up(size[0], group.invocations.x * group.results),
                           div_round_up(size[1], group.invocations.y),
                           div_round_up(size[2], group.invocations.z));
    const std::uint64_t groups =
        std::uint64_t{tiles.x} * tiles.y * tiles.z * size[3] * problem.batch;
    node.set("tiles", tiles);
    node.set("groups", static_cast<std::uint32_t>(groups));
    const Buffer result =
        node.write("result", filter_floats(graph, "result", filter_count(size) * problem.batch));
    fold_groups(groups).dispatch(node);
    return result;
}

Buffer bisect_medians(Graph& graph, Buffer source, const FilterProblem& problem) {
    const std::uint64_t count = filter_count(filter_result_size(problem)) * problem.batch;
    ComputeNodeBuilder node = graph.compute("filter/volume_median", {{"METHOD", "bisection"}});
    node.read("source", source);
    set_median(node, problem);
    node.set("window", as_vector(problem.kernel_size));
    node.set("count", static_cast<std::uint32_t>(count));
    const Buffer result = node.write("result", filter_floats(graph, "result", count));
    node.dispatch_each(static_cast<std::uint32_t>(count));
    return result;
}

/// Minima and maxima for each number: 3 m of m numbers held, m from half of the window and two
/// down to 3.
double selection_operations(double window) {
    const double held = window / 2.0 + 2.0;
    return 1.5 * held * held;
}

} // namespace

void FilterVolumeMedian::describe(PassInfo<FilterVolumeMedian>& info) {
    info.summary(
            "Removes specks: each number of an array of one to four axes becomes the median of a "
            "box around it")
        .details("Use image/median for pictures. The median is exact: every result is one of the "
                 "numbers read. Windows of up to 125 numbers (27 on software devices) use "
                 "forgetful selection: among half of the numbers and two more, neither the least "
                 "nor the greatest is the median, so both make room for the next. Larger windows "
                 "use bisection of the numbers' bits, which reads the window 32 times. Zeros "
                 "beyond the border count as numbers; NaN counts as greater than all numbers, or "
                 "as less if its sign is set.\n\nErrors: filter/empty, filter/too-short, "
                 "filter/too-large, filter/kernel-size, filter/no-result.")
        .source("Gaulin, \"GPU computation with Cg: 2-D filters and 3-D convolution\", UNC "
                "Charlotte, 2004")
        .complexity("O(numbers * window^2) minima and maxima, about 300 a number for 3 x 3 x 3; "
                    "O(numbers * window) beyond 125 numbers")
        .cost([](const FilterVolumeMedian& pass, const Graph& graph) {
            const auto bytes = static_cast<double>(graph.desc(pass.result).size);
            const glm::uvec4 w = pass.window;
            const double window = static_cast<double>(w.x) * w.y * w.z * w.w;
            return Cost{.bytes = static_cast<double>(graph.desc(pass.source).size) + bytes,
                        .operations = 0.25 * bytes *
                                      (window > static_cast<double>(kMaxSelected)
                                           ? 64.0 * window
                                           : selection_operations(window))};
        });
    info.input("source", &FilterVolumeMedian::source, "f32, x fastest").elements<float>();
    info.parameter("size", &FilterVolumeMedian::size,
                   "numbers along x, y, z and w; x = 0: all that the source holds")
        .structural();
    info.parameter("batch", &FilterVolumeMedian::batch,
                   "number of consecutive arrays, filtered separately")
        .range(1, 1e9)
        .structural();
    info.parameter("window", &FilterVolumeMedian::window,
                   "numbers of the box along x, y, z and w: odd")
        .structural();
    info.parameter(
            "border", &FilterVolumeMedian::border,
            "values beyond the border: zeros, the nearest number, the array mirrored (the last "
            "number repeated) or repeated; \"valid\": only results that read nothing there")
        .structural();
    info.output("result", &FilterVolumeMedian::result,
                "the medians, f32, of the source's size, or with \"valid\" window - 1 smaller")
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
    const auto group = median_group(graph.target(), problem);
    result = group ? select_medians(graph, source, problem, *group)
                   : bisect_medians(graph, source, problem);
}

TUFF_PASS(FilterVolumeMedian)

} // namespace tuff::passes
