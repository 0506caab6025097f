#include "passes/oit/statistics.hpp"

#include "passes/primitives/elements.hpp"
#include "passes/primitives/reduce.hpp"

namespace tuff::passes {

void OverdrawStatistics::describe(PassInfo<OverdrawStatistics>& info) {
    info.summary("Counts the layers of each pixel")
        .details("The histogram has a word for each number of layers from 0 to 255, and one for "
                 "more. Percentiles come from it, so they end at 256. In the picture black is no "
                 "layer, followed by blue, green and yellow; white is \"most\" layers or more.")
        .source("Thibieroz, \"Order-Independent Transparency using Per-Pixel Linked Lists\", GPU "
                "Pro 2, 2011: choosing the size of the pool")
        .complexity("O(pixels + fragments)");
    info.input("lists", &OverdrawStatistics::lists, "the fragments, of any packing");
    info.parameter("most", &OverdrawStatistics::most, "number of layers shown white")
        .range(1.0, 1e6);
    info.output("histogram", &OverdrawStatistics::histogram, "257 words: pixels by layers")
        .elements<std::uint32_t>();
    info.output("lengths", &OverdrawStatistics::lengths,
                "a word for each pixel, row by row: its number of layers")
        .elements<std::uint32_t>();
    info.output("summary", &OverdrawStatistics::summary,
                "four words: greatest number of layers, 99th percentile, 99th percentile of pixels "
                "with layers, and their number")
        .elements<std::uint32_t>();
    info.output("color", &OverdrawStatistics::color, "layers as colors, rgba16_sfloat");
}

void OverdrawStatistics::build(Graph& graph) {
    const glm::uvec2 size = lists.area.size;
    ComputeNodeBuilder node = graph.compute("oit/lengths");
    bind_lists(node, lists);
    node.set("size", size);
    histogram = node.accumulate(
        "histogram", graph.fill(array(graph, "histogram", kLengths), 0, "clear_histogram"));
    lengths = node.write("lengths", array(graph, "lengths", lists.area.pixels()));
    node.dispatch_over({size.x, size.y, 1});

    ComputeNodeBuilder heat = graph.compute("oit/heat");
    heat.read("lengths", lengths);
    heat.set("size", size);
    heat.set("most", most);
    color = heat.write("result", graph.image("color", {.format = Format::rgba16_sfloat,
                                                       .extent = {size.x, size.y, 1}}));
    heat.dispatch_over({size.x, size.y, 1});

    const Buffer longest = graph
                               .add(Reduce{.source = lengths,
                                           .length = std::int64_t{size.x} * size.y,
                                           .operation = Reduction::max},
                                    "longest")
                               .result;
    ComputeNodeBuilder sum = graph.compute("oit/percentile");
    sum.read("histogram", histogram);
    sum.read("longest", longest);
    summary = sum.write("summary", array(graph, "summary", 4));
    sum.dispatch(1);
}

TUFF_PASS(OverdrawStatistics)

} // namespace tuff::passes
