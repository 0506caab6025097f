#include "passes/fft/real_lines.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/fft/lengths.hpp"
#include "passes/fft/steps.hpp"

#include <array>
#include <string_view>

namespace tuff::passes {
namespace {

enum class RealStep : std::uint8_t { forward, back, solve };

Buffer transform_real_lines(Graph& graph, Buffer source, const RealLineAxis& axis, RealStep step,
                            RealOrder order, const RealModes& modes) {
    constexpr std::array<std::string_view, 3> kSteps{"forward", "back", "solve"};
    const std::uint64_t lines = axis.inner * axis.outer;
    const std::uint64_t bytes = lines * axis.line * sizeof(float);
    // The two lines of a pair lie side by side.
    const bool pairs = axis.inner % 2 == 0;
    ComputeNodeBuilder node = graph.compute(
        "fft/real_lines", {{"STEP", kSteps[static_cast<std::size_t>(step)]}, {"PAIRS", pairs}});
    node.read("source", source);
    node.read("half_turns", constant_table(graph, "half_turns", real_roots(2 * axis.line)));
    node.specialize("cosines", std::uint32_t(axis.sums != RealSums::hartley));
    node.set("lines", static_cast<std::uint32_t>(lines));
    node.set("inner", static_cast<std::uint32_t>(axis.inner));
    node.set("sines", std::uint32_t(axis.sums == RealSums::sines));
    node.set("ordered", std::uint32_t(order == RealOrder::frequencies));
    node.set("scale", axis.scale);
    if (step == RealStep::solve) {
        node.read("eigenvalues", modes.eigenvalues);
        node.set("first_eigenvalues", modes.first);
        node.set("fastest", modes.fastest);
    }
    const Buffer result =
        node.write("result", graph.buffer("sums", {.size = bytes, .stride = sizeof(float)}));
    const bool columns = axis.inner > 1;
    dispatch_lines(graph, node,
                   {.line = axis.line,
                    .count = div_round_up(lines, std::uint64_t{2}),
                    .load_by_columns = columns,
                    .store_by_columns = columns,
                    .mirrored = true});
    return result;
}

} // namespace

bool is_real_line(std::uint32_t line) {
    return has_small_factors(line) && line <= kMaxFftLine;
}

Buffer sum_real_lines(Graph& graph, Buffer source, const RealLineAxis& axis, RealOrder order) {
    return transform_real_lines(graph, source, axis, RealStep::forward, order, {});
}

Buffer unsum_real_lines(Graph& graph, Buffer source, const RealLineAxis& axis, RealOrder order) {
    return transform_real_lines(graph, source, axis, RealStep::back, order, {});
}

Buffer solve_real_lines(Graph& graph, Buffer source, const RealLineAxis& axis,
                        const RealModes& modes) {
    return transform_real_lines(graph, source, axis, RealStep::solve, RealOrder::computed, modes);
}

} // namespace tuff::passes
