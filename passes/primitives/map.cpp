#include "passes/primitives/map.hpp"

#include "passes/primitives/compaction.hpp"
#include "passes/primitives/expression.hpp"

namespace tuff::passes {
namespace {

/// The length of an array that is made from nothing.
std::optional<Length> length_alone(Graph& graph, std::int64_t length, Buffer count) {
    if (length >= 0 && length <= kMaxElements)
        return Length{.most = static_cast<std::uint32_t>(length), .count = count};
    graph.error("graph/unconnected",
                "input \"source\" is not connected, and there is no \"length\"",
                "connect an array, or say how many elements to make");
    return {};
}

} // namespace

void Map::describe(PassInfo<Map>& info) {
    info.summary("Applies a GLSL expression to every element of an array")
        .details("The expression may use x (the element), y (the element of \"other\" at the same "
                 "place), i (the index), n (the number of elements) and p (the parameter \"p\", "
                 "which may change every frame). Its value is converted to \"result_type\". It is "
                 "compiled when the graph is built; an error names the place in the expression. A "
                 "build without a shader compiler knows only the expression \"x\". The result "
                 "beyond the length is undefined.")
        .source("Buck and Purcell, \"A Toolkit for Computation on GPUs\", GPU Gems, chapter 37, "
                "2004")
        .complexity("O(n)")
        .cost([](const Map& pass, const Graph& graph) {
            const double n = cost_elements(graph, pass.source, pass.length);
            return Cost{.bytes = (pass.other ? 12.0 : 8.0) * n, .operations = n};
        });
    info.optional_input("source", &Map::source,
                        "the elements x; without them x is the index, and \"length\" says how "
                        "many there are")
        .elements_by("type");
    info.optional_input("other", &Map::other, "the elements y; without it y is 0")
        .elements_by("other_type");
    describe_length(info);
    describe_type(info);
    info.parameter("other_type", &Map::other_type, "type of the elements of \"other\"")
        .structural();
    info.parameter("result_type", &Map::result_type, "type of the elements of the result")
        .structural();
    info.parameter("expression", &Map::expression, "the value, for example \"p.x * x + y\"")
        .structural();
    info.parameter("p", &Map::p, "four numbers for the expression");
    info.output("result", &Map::result, "as many elements as the source")
        .elements_by("result_type");
}

void Map::build(Graph& graph) {
    const std::optional<Length> n =
        source ? length_of(graph, source, length, count) : length_alone(graph, length, count);
    if (!n || (other && !holds(graph, other, *n, "other"))) return;
    const bool copies = source && expression == "x" && type == result_type;
    std::optional<std::string> shader = "primitives/map";
    if (!copies)
        shader = kernel_with(graph, *shader,
                             {.parameter = "expression",
                              .text = expression,
                              .x = type,
                              .y = other_type,
                              .result = result_type,
                              .x_is_index = !source,
                              .y_is_zero = !other});
    if (!shader) return;
    const Buffer quads = source ? pad_to_uvec4(graph, source)
                                : graph.fill(array(graph, "no_source", 1), 0, "no_source");
    const Groups groups = groups_for(graph, *n, kTile);
    ComputeNodeBuilder node = graph.compute(*shader, "map");
    read_if_used(graph, node, *shader, "source", quads);
    read_if_used(graph, node, *shader, "other", other ? pad_to_uvec4(graph, other) : quads);
    bind_length(node, *n);
    if (!copies) node.set("p", p);
    result = node.write("result", array(graph, "result", n->most));
    groups.dispatch(node);
}

TUFF_PASS(Map)

} // namespace tuff::passes
