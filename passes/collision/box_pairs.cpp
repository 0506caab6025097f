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
    info.summary("Filters pairs of turned boxes down to those that meet")
        .details(
            "Two boxes are apart where one of 15 axes parts them: the three of each, and the "
            "nine across an axis of both. The test errs towards meeting, by about a "
            "hundred-thousandth of the boxes' sizes.\n\n"
            "Without \"pairs\", box i of \"a\" is paired with box i of \"b\"; where the arrays "
            "differ in length, as far as the shorter goes. A pair that names a box that is not "
            "there does not meet.")
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
                        "which are paired: a number of \"a\" and one of \"b\"")
        .elements<glm::uvec2>();
    info.parameter("slack", &BoxPairs::slack, "boxes that are no farther than that apart meet, too")
        .range(0.0, 1e6);
    info.parameter("method", &BoxPairs::method, "of the filter").structural();
    info.output("meet", &BoxPairs::meet, "a word a pair: 1 where the boxes meet")
        .elements<std::uint32_t>();
    info.output("kept", &BoxPairs::kept, "the numbers of the pairs that meet, in their order")
        .elements<std::uint32_t>();
    info.output("count", &BoxPairs::count, "how many these are").elements<std::uint32_t>();
}

void BoxPairs::build(Graph& graph) {
    const std::uint64_t listed =
        pairs ? graph.desc(pairs).size / 8 : std::min(boxes_in(graph, a), boxes_in(graph, b));
    if (listed > kMaxElements) {
        graph.error("collision/too-many-pairs",
                    fmt::format("{} pairs are more than can be addressed", listed),
                    fmt::format("at most {}", kMaxElements));
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
