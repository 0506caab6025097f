#include "passes/distance/seed.hpp"

#include "passes/common/picture.hpp"

namespace tuff::passes {

void DistanceSeed::describe(PassInfo<DistanceSeed>& info) {
    info.summary("Marks the texels of a picture that are objects, for passes that measure "
                 "distances")
        .details("A texel is an object if its first channel is above the threshold, or with "
                 "\"invert\" if it is not. NaN is background either way. Objects are 1, background "
                 "is 0.")
        .source("Rideout, \"2D Distance Field Generation with the GPU\", OpenGL Insights, 2012")
        .complexity("O(texels)")
        .cost([](const DistanceSeed& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.seed, 1.0);
        });
    info.input("source", &DistanceSeed::source, "the picture").picture();
    info.parameter("threshold", &DistanceSeed::threshold, "value above which a texel is an object");
    info.parameter("invert", &DistanceSeed::invert, "swaps objects and background");
    info.output("seed", &DistanceSeed::seed,
                "r8_uint of the picture's size: 1 object, 0 background");
    info.output("status", &DistanceSeed::status, "counts of objects and background")
        .elements<DistanceStatus>();
}

void DistanceSeed::build(Graph& graph) {
    if (!has_field_size(graph, graph.extent(source))) return;
    ComputeNodeBuilder node = graph.compute("distance/seed");
    node.set("threshold", threshold);
    node.set("invert", invert ? 1u : 0u);
    node.read("source", ImageView(source).mip(0), Sampler::nearest());
    seed = node.write("result", image_like(graph, "seed", source, Format::r8_uint));
    const Buffer counted = node.accumulate("status", clear_status(graph));
    node.dispatch_over(graph.extent(source));
    status = judged(graph, counted);
    graph.status<DistanceStatus>(status);
}

TUFF_PASS(DistanceSeed)

} // namespace tuff::passes
