#include "passes/primitives/saxpy.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSteps = 4096;
constexpr std::uint32_t kElementsPerGroup = kTile; // as in shaders/primitives/saxpy.comp

/// What the kernels of one execution share.
struct Operands {
    Buffer x;
    Length length;
    Groups groups;
    float alpha;
};

Buffer add_kernel(Graph& graph, const Operands& operands, Buffer y, std::uint32_t steps) {
    ComputeNodeBuilder node = graph.compute("primitives/saxpy");
    node.read("x", operands.x);
    node.read("y", y);
    bind_length(node, operands.length);
    node.set("alpha", operands.alpha);
    node.set("steps", steps);
    const Buffer result = node.write("result", array(graph, "result", operands.length.most));
    operands.groups.dispatch(node);
    return result;
}

} // namespace

void Saxpy::describe(PassInfo<Saxpy>& info) {
    info.summary("Adds a multiple of one array to another: y becomes alpha * x + y")
        .details("Numbers are 32-bit floats. A step has one rounding on devices with fused "
                 "multiply-add, and two on others. \"steps\" repeats the step: in one kernel that "
                 "keeps the sum in registers, or in one kernel for each step, through memory. Both "
                 "round alike. Infinities and NaN in the arrays follow IEEE 754; alpha must be "
                 "finite.")
        .source("Zachmann, \"Computer-Graphik II: GPGPU-Algorithmen\", TU Clausthal")
        .complexity("O(length * steps)")
        .cost([](const Saxpy& pass, const Graph& graph) -> Cost {
            if (!pass.x || !pass.y) return {};
            const auto all = static_cast<double>(capacity(graph, pass.x));
            const double elements =
                pass.length < 0 ? all : std::min(all, static_cast<double>(pass.length));
            const double passes = pass.form == SaxpyForm::passes ? pass.steps : 1.0;
            return {.bytes = 12.0 * elements * passes, .operations = 2.0 * elements * pass.steps};
        });
    info.input("x", &Saxpy::x, "array of f32").elements<float>();
    info.input("y", &Saxpy::y, "array of f32, at least as long").elements<float>();
    describe_length(info);
    info.parameter("alpha", &Saxpy::alpha, "the factor of x");
    info.parameter("steps", &Saxpy::steps, "how often alpha * x is added")
        .range(1, kMaxSteps)
        .structural();
    info.parameter("form", &Saxpy::form,
                   "\"fused\": one kernel; \"passes\": one kernel for each step")
        .structural();
    info.output("result", &Saxpy::result, "array of f32, as long as x").elements<float>();
}

void Saxpy::build(Graph& graph) {
    const std::optional<Length> checked = length_of(graph, x, length, count, "x");
    if (!checked || !holds(graph, y, *checked, "y")) return;
    const Operands operands{.x = pad_to_uvec4(graph, x),
                            .length = *checked,
                            .groups = groups_for(graph, *checked, kElementsPerGroup),
                            .alpha = alpha};
    result = pad_to_uvec4(graph, y);
    if (form == SaxpyForm::fused) {
        result = add_kernel(graph, operands, result, steps);
        return;
    }
    result = graph.repeat("step", steps, result, [&](Buffer sum, std::uint32_t) {
        return add_kernel(graph, operands, sum, 1);
    });
}

TUFF_PASS(Saxpy)

} // namespace tuff::passes
