#include "passes/collision/box_pairs.hpp"

#include "passes/collision/box.hpp"
#include "passes/primitives/compact.hpp"

#include <fmt/format.h>
#include <glm/vec2.hpp>

namespace tuff::passes {
namespace {

std::uint32_t boxes_in(const Graph& graph, Buffer buffer) {
    return static_cast<std::uint32_t>(graph.desc(buffer).size / sizeof(OrientedBox));
}

} // namespace

void BoxPairs::describe(PassInfo<BoxPairs>& info) {
    info.summary("Filters pairs of oriented boxes down to those that intersect")
        .details("Two boxes are disjoint if one of 15 axes separates them: the three axes of each "
                 "box, and the nine cross products of an axis of each. The test is conservative by "
                 "about a hundred-thousandth of the boxes' sizes.\n\n"
                 "Without \"pairs\", box i of \"a\" is paired with box i of \"b\"; if the arrays "
                 "differ in length, the shorter counts. A pair with an index out of range does not "
                 "intersect.")
        .source("S. Gottschalk, M. C. Lin and D. Manocha, \"OBBTree\", SIGGRAPH 1996; D. Horn, "
                "\"Stream Reduction Operations for GPGPU Applications\", GPU Gems 2, chapter 36, "
                "2005")
        .complexity("O(pairs)")
        .cost([](const BoxPairs& pass, const Graph& graph) {
            const double pairs = pass.pairs ? static_cast<double>(graph.desc(pass.pairs).size) / 8.0
                                            : boxes_in(graph, pass.a);
            return Cost{.bytes = (128.0 + 8.0 + 12.0) * pairs, .operations = 250.0 * pairs};
        });
    info.input("a", &BoxPairs::a, "boxes").elements<OrientedBox>();
    info.input("b", &BoxPairs::b, "boxes").elements<OrientedBox>();
    info.optional_input("pairs", &BoxPairs::pairs,
                        "the pairs: an index into \"a\" and one into \"b\"")
        .elements<glm::uvec2>();
    info.parameter("slack", &BoxPairs::slack, "boxes no farther apart than this also intersect")
        .range(0.0, 1e6);
    info.parameter("method", &BoxPairs::method, "how the filter finds places in the result")
        .structural();
    info.output("meet", &BoxPairs::meet, "one word a pair: 1 if the boxes intersect")
        .elements<std::uint32_t>();
    info.output("kept", &BoxPairs::kept,
                "the numbers of the intersecting pairs, in ascending "
                "order")
        .elements<std::uint32_t>();
    info.output("count", &BoxPairs::count, "how many pairs intersect").elements<std::uint32_t>();
}

void BoxPairs::build(Graph& graph) {
    const std::uint64_t listed =
        pairs ? graph.desc(pairs).size / 8 : std::min(boxes_in(graph, a), boxes_in(graph, b));
    if (listed > kMaxElements) {
        graph.error("collision/too-many-pairs",
                    fmt::format("there are {} pairs, more than can be addressed", listed),
                    fmt::format("give at most {}", kMaxElements));
        return;
    }
    const auto most = static_cast<std::uint32_t>(listed);
    ComputeNodeBuilder node = graph.compute("collision/box_pairs");
    node.specialize("kListed", pairs ? 1u : 0u);
    node.read("boxes_a", a);
    node.read("boxes_b", b);
    node.read("pairs", pairs ? pairs : a);
    node.set("count", most);
    node.set("boxes_a", boxes_in(graph, a));
    node.set("boxes_b", boxes_in(graph, b));
    node.set("slack", slack);
    meet = node.write("meet", array(graph, "meet", most));
    node.dispatch_each(most);
    const Compact filter = graph.add(Compact{.source = meet,
                                             .predicate = "x != 0u",
                                             .length = most,
                                             .emits = Emits::indices,
                                             .method = method},
                                     "filter");
    kept = filter.result;
    count = filter.kept;
}

TUFF_PASS(BoxPairs)

} // namespace tuff::passes
