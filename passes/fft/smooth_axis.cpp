#include "passes/fft/smooth_axis.hpp"

#include "passes/fft/lengths.hpp"
#include "passes/fft/steps.hpp"

#include <bit>
#include <string_view>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kNumberBytes = 8;
/// Lines whose neighbours are neighbours in memory: longer ones leave a group too few of them. A
/// GPU is faster with two passes over memory, each of groups that read it in whole sectors.
constexpr std::uint32_t kMaxColumnLine = 2048;
constexpr std::uint32_t kMaxLargeColumnLine = 1024;
constexpr std::uint32_t kMaxPassLine = 1024;
/// Roots that stand in one table; of longer transforms they are products of two.
constexpr std::uint32_t kMaxWholeTable = 1 << 14;

Buffer numbers(Graph& graph, std::string_view name, std::uint64_t count) {
    return graph.buffer(name, {.size = count * kNumberBytes, .stride = kNumberBytes});
}

/// One kernel of a transform: its step of `line` numbers, behind steps whose product is `span`.
struct SmoothPass {
    std::uint32_t line = 1;
    std::uint32_t span = 1;
    bool first = true;
    bool last = true;
};

void bind_tables(Graph& graph, ComputeNodeBuilder& node, const SmoothAxis& axis,
                 const SmoothPass& pass) {
    FftTable turns;
    std::uint32_t bits = 0;
    if (!pass.first) {
        const std::uint32_t all = pass.span * pass.line;
        bits = static_cast<std::uint32_t>(std::bit_width(all));
        if (all > kMaxWholeTable) bits = (bits + 1) / 2;
        turns = long_roots(all, bits);
        node.specialize("whole_table", std::uint32_t(all <= kMaxWholeTable));
    }
    node.read_optional("long_roots", constant_table(graph, "long_roots", turns));
    node.set("long_bits", bits);
    const FftTable load = pass.first ? axis.load_factors : nullptr;
    const FftTable store = pass.last ? axis.store_factors : nullptr;
    node.read_optional("load_factors", constant_table(graph, "load_factors", load));
    node.read_optional("store_factors", constant_table(graph, "store_factors", store));
    if (axis.join_reals || axis.split_reals)
        node.read("real_roots", constant_table(graph, "real_roots", real_roots(pass.line)));
}

/// Of lines that follow each other.
FftPlaces in_order(std::uint64_t inner, std::uint64_t length) {
    return {.step = static_cast<std::uint32_t>(inner),
            .pitch = static_cast<std::uint32_t>(length * inner)};
}

void bind_places(Graph& graph, ComputeNodeBuilder& node, const FftPlaces& source,
                 const FftPlaces& result) {
    node.read_optional("source_places", constant_table(graph, "source_places", source.list));
    node.read_optional("result_places", constant_table(graph, "result_places", result.list));
    node.set("source_first", source.first);
    node.set("source_step", source.step);
    node.set("source_pitch", source.pitch);
    node.set("result_first", result.first);
    node.set("result_step", result.step);
    node.set("result_pitch", result.pitch);
}

Buffer add_smooth_pass(Graph& graph, BufferView source, const SmoothAxis& axis,
                       const SmoothPass& pass) {
    const FftPlaces between = in_order(axis.inner, axis.length);
    const FftPlaces& to = pass.last ? axis.result_places : between;
    const FftMultiplier multiplier = pass.first ? axis.multiplier : FftMultiplier{};

    const bool reals = axis.join_reals || axis.split_reals;
    ComputeNodeBuilder node = graph.compute("fft/lines", {{"REALS", reals}});
    node.read("source", source);
    node.read_optional("multiplier", multiplier.numbers);
    bind_tables(graph, node, axis, pass);
    if (reals) {
        node.specialize("join_reals", std::uint32_t(axis.join_reals));
        node.specialize("split_reals", std::uint32_t(axis.split_reals));
    }
    const std::uint32_t repeats = axis.length / (pass.line * pass.span);
    const std::uint64_t lines = axis.inner * axis.outer * (axis.length / pass.line);
    const std::uint64_t whole_lines =
        axis.whole_inner * axis.whole_outer * (axis.length / pass.line);
    node.set("lines", static_cast<std::uint32_t>(lines));
    node.set("repeats", repeats);
    node.set("inner", static_cast<std::uint32_t>(axis.inner));
    node.set("span", pass.span);
    node.set("source_length", pass.first ? axis.source_length : axis.length);
    node.set("result_length", pass.last ? axis.result_length : axis.length);
    bind_places(graph, node, pass.first ? axis.source_places : between, to);
    node.set("multiplier_count", static_cast<std::uint32_t>(multiplier.count));
    node.set("multiplier_conjugate", std::uint32_t(multiplier.conjugate));
    node.set("swap_source", std::uint32_t(pass.first && axis.swap_source));
    node.set("swap_before_factors", std::uint32_t(pass.last && axis.swap_before_factors));
    node.set("swap_result", std::uint32_t(pass.last && axis.swap_result));
    node.set("scale", pass.last ? axis.scale : 1.0f);
    BufferView into = axis.into;
    if (!pass.last || !into.buffer) into = numbers(graph, "transformed", to.pitch * axis.outer);
    const Buffer result = node.write("result", into);
    dispatch_lines(graph, node,
                   {.line = pass.line,
                    .count = lines,
                    .whole_count = whole_lines,
                    .load_by_columns = axis.whole_inner * pass.span * repeats > 1,
                    .store_by_columns = axis.whole_inner * pass.span > 1,
                    .by_parts = true,
                    .mirrored = reals});
    return result;
}

} // namespace

SmoothAxis smooth(const FftAxis& axis, const FftMultiplier& multiplier) {
    const bool inverse = axis.direction == FftDirection::inverse;
    return {.inner = axis.inner,
            .outer = axis.outer,
            .whole_inner = axis.whole_inner != 0 ? axis.whole_inner : axis.inner,
            .whole_outer = axis.whole_outer != 0 ? axis.whole_outer : axis.outer,
            .length = axis.length,
            .source_length = axis.source_length,
            .result_length = axis.result_length,
            .source_places = axis.source_places.value_or(in_order(axis.inner, axis.source_length)),
            .result_places = axis.result_places.value_or(in_order(axis.inner, axis.result_length)),
            .into = axis.into,
            .multiplier = multiplier,
            .swap_source = inverse,
            .swap_result = inverse,
            .scale = axis.scale};
}

Buffer transform_smooth(Graph& graph, BufferView source, const SmoothAxis& axis) {
    const bool large = graph.target().max_group_invocations >= kLargeFftGroup;
    const std::uint32_t longest_column = large ? kMaxLargeColumnLine : kMaxColumnLine;
    if (axis.length <= (axis.whole_inner > 1 ? longest_column : kMaxFftLine))
        return add_smooth_pass(graph, source, axis, {.line = axis.length});
    auto lengths = fft_passes(axis.length, kMaxPassLine);
    if (!lengths) return {}; // there always are some
    std::uint32_t span = 1;
    for (std::size_t i = 0; i < lengths->size(); ++i) {
        const std::uint32_t line = (*lengths)[i];
        source = add_smooth_pass(
            graph, source, axis,
            {.line = line, .span = span, .first = i == 0, .last = i + 1 == lengths->size()});
        span *= line;
    }
    return source.buffer;
}

Buffer transform_pairs(Graph& graph, Buffer source, const FftAxis& axis,
                       const FftMultiplier& multiplier) {
    SmoothAxis pairs = smooth(axis, multiplier);
    if (axis.direction == FftDirection::forward) {
        pairs.split_reals = true;
        pairs.result_length = axis.length + 1;
        pairs.result_places.pitch = axis.length + 1;
    } else {
        pairs.join_reals = true;
        pairs.source_places.pitch = axis.length + 1;
    }
    return add_smooth_pass(graph, source, pairs, {.line = axis.length});
}

} // namespace tuff::passes
