#include "passes/common/div_round_up.hpp"
#include "passes/filter/way_nodes.hpp"
#include "passes/filter/ways.hpp"

namespace tuff::passes {
namespace {

Buffer packed_source(Graph& graph, Buffer source, const FilterProblem& problem) {
    const auto count =
        static_cast<std::uint32_t>(filter_count(problem.size) * std::uint64_t{problem.batch});
    const std::uint32_t words = div_round_up(count, 4u);
    ComputeNodeBuilder node = graph.compute("filter/pack");
    node.read("source", source);
    node.set("count", count);
    node.set("words", words);
    const Buffer result = node.write("result", filter_floats(graph, "packed", words));
    node.dispatch_each(words);
    return result;
}

} // namespace

Buffer convolve_packed(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem) {
    const Buffer packed = packed_source(graph, source, problem);
    ComputeNodeBuilder node = graph.compute("filter/packed");
    node.read("source", packed);
    node.set("turned", std::uint32_t(!problem.correlate));
    node.read("weights", kernel);
    return write_each_result(graph, node, problem);
}

} // namespace tuff::passes
