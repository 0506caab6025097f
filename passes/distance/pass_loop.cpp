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

        RasterNodeBuilder node = graph.raster(loop.kernel, loop.variant);
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
    return loop.back_end == PassBackEnd::compute ? run_kernels(graph, loop, start)
                                                 : run_draws(graph, loop, start);
}

} // namespace tuff::passes
