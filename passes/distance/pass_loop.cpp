#include "passes/distance/pass_loop.hpp"

#include <tuple>

namespace tuff::passes {
namespace {

using LoopState = std::tuple<Image, Image, Buffer>; // even, odd, done

constexpr std::uint32_t kLoopVertices = 3;
/// From the word of a pass to the next: where most devices let a binding begin.
constexpr std::uint64_t kDoneBytes = 256;

void bind_pass(KernelNode& node, const PassLoop& loop, const LoopState& state, std::uint32_t pass) {
    node.set("pass", pass);
    node.set("changes", pass < loop.length.changes ? 1u : 0u);
    node.read("before", pass % 2 == 0 ? std::get<0>(state) : std::get<1>(state),
              Sampler::nearest());
    loop.bind(node, pass);
}

Image& target_of(LoopState& state, std::uint32_t pass) {
    return pass % 2 == 0 ? std::get<1>(state) : std::get<0>(state);
}

LoopedField run_kernels(Graph& graph, const PassLoop& loop, const LoopState& start) {
    const Extent size = graph.extent(std::get<0>(start));
    const auto looped =
        graph.repeat_until(loop.name, loop.length.runs, start,
                           [&](LoopState state, std::uint32_t pass) -> Step<LoopState> {
                               ComputeNodeBuilder node = graph.compute(loop.kernel, loop.variant);
                               bind_pass(node, loop, state, pass);
                               Image& target = target_of(state, pass);
                               target = node.write("after", target);
                               Buffer& done = std::get<2>(state);
                               done = node.write("done", done);
                               node.dispatch_over(size);
                               return {state, done_of(done, pass)};
                           });
    const auto& [even, odd, done] = looped.state;
    return {even, odd, done, looped.iterations, loop.length};
}

RasterNodeBuilder draw_pass(Graph& graph, const PassLoop& loop, bool query) {
    ShaderVariant variant = loop.variant;
    variant.set("QUERY", query);
    return graph.raster(loop.kernel, variant);
}

/// Nodes that draw cannot be skipped, but draws can have no vertices.
LoopedField run_draws(Graph& graph, const PassLoop& loop, const LoopState& start) {
    LoopState state = start;
    Buffer ran = graph.fill(graph.buffer("passes", {.size = 4, .stride = 4}), 0, "no_pass");
    graph.repeat(loop.name, loop.length.runs, 0, [&](int, std::uint32_t pass) {
        ComputeNodeBuilder gate = graph.compute("distance/draw_gate");
        gate.set("pass", pass);
        gate.set("vertices", kLoopVertices);
        gate.read("done", std::get<2>(state));
        ran = gate.write("passes", ran);
        const Buffer arguments =
            gate.write("arguments", graph.buffer("arguments", {.size = 16, .stride = 4}));
        gate.dispatch(1);

        RasterNodeBuilder node = draw_pass(graph, loop, false);
        bind_pass(node, loop, state, pass);
        Image& target = target_of(state, pass);
        target = node.color(target, loaded());
        std::get<2>(state) = node.write("done", std::get<2>(state));
        node.draw_indirect(arguments, 0, 1);
        return 0;
    });
    const auto& [even, odd, done] = state;
    return {even, odd, done, ran, loop.length};
}

/// What discarded fragments leave is copied before. The gate of a pass looks at what the query of
/// the pass before has counted, and at the end one more looks at the last.
LoopedField run_queries(Graph& graph, const PassLoop& loop, const LoopState& start) {
    constexpr BufferDesc kWord{.size = 4, .stride = 4};
    LoopState state = start;
    Buffer ran = graph.fill(graph.buffer("passes", kWord), 0, "no_pass");
    Buffer samples = graph.fill(graph.buffer("samples", kWord), 1, "assume_samples");
    const auto gate_of = [&](std::uint32_t pass, std::uint32_t vertices) {
        ComputeNodeBuilder gate = graph.compute("distance/query_gate");
        gate.set("pass", pass);
        gate.set("vertices", vertices);
        gate.read("samples", samples);
        std::get<2>(state) = gate.write("done", std::get<2>(state));
        ran = gate.write("passes", ran);
        const Buffer arguments =
            gate.write("arguments", graph.buffer("arguments", {.size = 16, .stride = 4}));
        gate.dispatch(1);
        return arguments;
    };
    graph.repeat(loop.name, loop.length.runs, 0, [&](int, std::uint32_t pass) {
        const Buffer arguments = gate_of(pass, kLoopVertices);
        Image& target = target_of(state, pass);
        const Image before = pass % 2 == 0 ? std::get<0>(state) : std::get<1>(state);
        target = graph.copy(before, target, "keep");
        RasterNodeBuilder node = draw_pass(graph, loop, true);
        bind_pass(node, loop, state, pass);
        target = node.color(target, loaded());
        if (loop.notes) std::get<2>(state) = node.write("done", std::get<2>(state));
        node.draw_indirect(arguments, 0, 1);
        samples = node.count_samples(graph.buffer("samples", kWord));
        return 0;
    });
    static_cast<void>(gate_of(loop.length.runs, 0));
    const auto& [even, odd, done] = state;
    return {even, odd, done, ran, loop.length};
}

} // namespace

LoopLength loop_length(std::uint32_t most, std::uint32_t longest) {
    if (most == 0 || most >= longest) return {longest, longest};
    return {most + 1, most};
}

Buffer new_done(Graph& graph, const LoopLength& length) {
    const std::uint64_t bytes = kDoneBytes * length.runs + 4;
    return graph.fill(graph.buffer("done", {.size = bytes, .stride = 4}), 1, "assume_done");
}

BufferView done_of(Buffer done, std::uint32_t pass) {
    return {done, kDoneBytes * pass, 4};
}

LoopedField run_loop(Graph& graph, const PassLoop& loop, Image even, Image odd) {
    const LoopState start{even, odd, new_done(graph, loop.length)};
    switch (loop.back_end) {
    case PassBackEnd::compute: return run_kernels(graph, loop, start);
    case PassBackEnd::raster: return run_draws(graph, loop, start);
    case PassBackEnd::query: return run_queries(graph, loop, start);
    }
    return {};
}

} // namespace tuff::passes
