#include "passes/distance/grassfire.hpp"

#include "passes/common/picture.hpp"

#include <tuple>

namespace tuff::passes {
namespace {

using FireState = std::tuple<Image, Image, Buffer>;

Image field_start(Graph& graph, Image seed, FieldStorage storage) {
    ComputeNodeBuilder node = graph.compute("distance/field_start");
    node.set("unreached", unreached(storage));
    node.read("seed", seed, Sampler::nearest());
    const Image start =
        node.write("field", image_like(graph, "field", seed, field_format(storage)));
    node.dispatch_over(graph.extent(seed));
    return start;
}

} // namespace

void Grassfire::describe(PassInfo<Grassfire>& info) {
    info.summary("Measures Manhattan or chessboard distances by letting them spread")
        .details("A pass gives each texel that has none the least distance of its neighbours plus "
                 "one. The device ends the loop after the pass that found nothing to do. Texels of "
                 "8 and 16 bits hold at most 254 and 65,534.")
        .source("Rideout, \"2D Distance Field Generation with the GPU\", OpenGL Insights, 2012")
        .complexity("O(texels * passes)")
        .cost([](const Grassfire& pass, const Graph& graph) {
            return picture_cost(graph, pass.seed, pass.field, 0.0);
        });
    info.input("seed", &Grassfire::seed, "not 0: an object; see distance/seed");
    info.parameter("metric", &Grassfire::metric, "four neighbours, or eight");
    info.parameter("storage", &Grassfire::storage, "what a texel of the field is").structural();
    info.parameter("max_passes", &Grassfire::max_passes,
                   "the loop ends after as many; 0: as many as the picture may need")
        .range(0, 2 * kMaxFieldSide)
        .structural();
    info.output("field", &Grassfire::field, "of the seed's size: distances, unreached all ones");
    info.output("status", &Grassfire::status, "counts, passes and codes")
        .elements<DistanceStatus>();
}

void Grassfire::build(Graph& graph) {
    if (!is_seed(graph, seed)) return;
    const Extent size = graph.extent(seed);
    // The longest way, and the pass that finds nothing.
    const std::uint32_t most = max_passes == 0 ? size.width + size.height - 1 : max_passes;
    const Buffer whole = graph.fill(graph.buffer("cut", {.size = 4}), 0, "nothing_cut");
    const FireState start{field_start(graph, seed, storage), field_start(graph, seed, storage),
                          whole};
    const auto loop = graph.repeat_until(
        "spread", most, start, [&](FireState state, std::uint32_t i) -> Step<FireState> {
            auto& [even, odd, cut] = state;
            ComputeNodeBuilder node = graph.compute("distance/grassfire");
            node.set("eight", metric == GridMetric::chessboard ? 1u : 0u);
            node.set("unreached", unreached(storage));
            node.read("before", i % 2 == 0 ? even : odd, Sampler::nearest());
            Image& target = i % 2 == 0 ? odd : even;
            target = node.write("after", target);
            cut = node.write("cut", cut);
            const Buffer done =
                node.write("done", graph.fill(graph.buffer("done", {.size = 4}), 1, "assume_done"));
            node.dispatch_over(size);
            return {state, done};
        });
    const auto& [even, odd, cut] = loop.state;
    ComputeNodeBuilder node = graph.compute("distance/fire_end");
    node.set("unreached", unreached(storage));
    node.read("even", even, Sampler::nearest());
    node.read("odd", odd, Sampler::nearest());
    node.read("iterations", loop.iterations);
    node.read("cut", cut);
    field = node.write("field", image_like(graph, "field", seed, field_format(storage)));
    status = node.write("status", count_seed(graph, seed));
    node.dispatch_over(size);
    graph.status<DistanceStatus>(status);
}

TUFF_PASS(Grassfire)

} // namespace tuff::passes
