#include "passes/fft/axis.hpp"
#include "passes/fft/lengths.hpp"
#include "passes/fft/smooth_axis.hpp"
#include "passes/fft/tables.hpp"

#include <array>

/// Lines of real numbers. Those of an even length are transformed as half as many complex ones, in
/// the kernel that transforms them where a group can keep them; others as complex numbers.
namespace tuff::passes {
namespace {

constexpr std::uint32_t kRealBytes = 4;
constexpr std::uint32_t kComplexBytes = 8;

/// Lines of floats: see shaders/fft/move_reals.comp.
struct RealLines {
    std::uint32_t pitch = 1;
    std::uint32_t step = 1;
};
Buffer move_reals(Graph& graph, Buffer source, std::uint64_t lines, std::uint32_t length,
                  RealLines from, RealLines to) {
    const std::uint64_t count = lines * to.pitch;
    ComputeNodeBuilder node = graph.compute("fft/move_reals");
    node.read("source", source);
    node.set("count", static_cast<std::uint32_t>(count));
    node.set("line", length);
    node.set("source_pitch", from.pitch);
    node.set("source_step", from.step);
    node.set("result_pitch", to.pitch);
    node.set("result_step", to.step);
    const Buffer result = node.write(
        "result",
        graph.buffer("reals", {.size = count * kRealBytes, .stride = to.step * kRealBytes}));
    node.dispatch_each(static_cast<std::uint32_t>(count));
    return result;
}

enum class HalfStep : std::uint8_t { split, join, complete };

/// See shaders/fft/half_spectrum.comp: `length` is that of the pairs, or of the whole spectrum.
Buffer half_spectrum(Graph& graph, Buffer source, HalfStep step, std::uint64_t lines,
                     std::uint32_t length, const FftMultiplier& multiplier) {
    constexpr std::array<std::string_view, 3> kSteps{"split", "join", "complete"};
    const std::uint32_t half = step == HalfStep::complete ? length / 2 + 1 : length + 1;
    const std::uint32_t source_pitch = step == HalfStep::split ? length : half;
    const std::uint32_t result_pitch = step == HalfStep::split ? half : length;
    const std::uint64_t count = lines * result_pitch;
    ComputeNodeBuilder node =
        graph.compute("fft/half_spectrum", {{"STEP", kSteps[static_cast<std::size_t>(step)]}});
    node.read("source", source);
    if (step != HalfStep::complete) {
        const FftTable roots = real_roots(length);
        node.read("real_roots",
                  graph.constant_buffer("real_roots",
                                        {.size = roots->size(), .stride = kComplexBytes}, roots));
    }
    if (step != HalfStep::split) node.read_optional("multiplier", multiplier.numbers);
    node.set("count", static_cast<std::uint32_t>(count));
    node.set("line", length);
    node.set("source_pitch", source_pitch);
    node.set("result_pitch", result_pitch);
    node.set("multiplier_count", static_cast<std::uint32_t>(multiplier.count));
    node.set("multiplier_conjugate", std::uint32_t(multiplier.conjugate));
    const Buffer result = node.write(
        "result",
        graph.buffer("spectrum", {.size = count * kComplexBytes, .stride = kComplexBytes}));
    node.dispatch_each(static_cast<std::uint32_t>(count));
    return result;
}

/// A group can keep a line of so many pairs.
bool is_direct(std::uint32_t pairs) {
    return has_small_factors(pairs) && pairs <= kMaxFftLine;
}

Buffer forward_reals(Graph& graph, Buffer source, const FftAxis& axis) {
    const std::uint32_t n = axis.length;
    const std::uint32_t given = axis.source_length;
    FftAxis complex = axis;
    if (n % 2 != 0) {
        source = move_reals(graph, source, axis.outer, given, {given, 1}, {2 * given, 2});
        complex.result_length = n / 2 + 1;
        return transform_axis(graph, source, complex);
    }
    if (given % 2 != 0)
        source = move_reals(graph, source, axis.outer, given, {given, 1}, {given + 1, 1});
    complex.length = n / 2;
    complex.source_length = (given + 1) / 2;
    complex.result_length = n / 2;
    if (is_direct(n / 2)) return transform_pairs(graph, source, complex, {});
    const Buffer pairs = transform_axis(graph, source, complex);
    if (!pairs) return {};
    return half_spectrum(graph, pairs, HalfStep::split, axis.outer, n / 2, {});
}

Buffer inverse_reals(Graph& graph, Buffer source, const FftAxis& axis,
                     const FftMultiplier& multiplier) {
    const std::uint32_t n = axis.length;
    const std::uint32_t wanted = axis.result_length;
    FftAxis complex = axis;
    if (n % 2 != 0) {
        source = half_spectrum(graph, source, HalfStep::complete, axis.outer, n, multiplier);
        complex.source_length = n;
        const Buffer numbers = transform_axis(graph, source, complex);
        if (!numbers) return {};
        return move_reals(graph, numbers, axis.outer, wanted, {2 * wanted, 2}, {wanted, 1});
    }
    complex.length = n / 2;
    complex.source_length = n / 2;
    complex.result_length = (wanted + 1) / 2;
    Buffer numbers;
    if (is_direct(n / 2)) {
        numbers = transform_pairs(graph, source, complex, multiplier);
    } else {
        source = half_spectrum(graph, source, HalfStep::join, axis.outer, n / 2, multiplier);
        numbers = transform_axis(graph, source, complex);
    }
    if (!numbers || wanted % 2 == 0) return numbers;
    return move_reals(graph, numbers, axis.outer, wanted, {wanted + 1, 1}, {wanted, 1});
}

} // namespace

Buffer transform_real_axis(Graph& graph, Buffer source, const FftAxis& axis,
                           const FftMultiplier& multiplier) {
    if (axis.direction == FftDirection::forward) return forward_reals(graph, source, axis);
    return inverse_reals(graph, source, axis, multiplier);
}

} // namespace tuff::passes
