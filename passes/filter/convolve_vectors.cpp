#include "passes/filter/way_nodes.hpp"
#include "passes/filter/ways.hpp"

namespace tuff::passes {

Buffer convolve_vectors(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem) {
    const Buffer weights = weight_vectors(graph, kernel, problem);
    ComputeNodeBuilder node = graph.compute("filter/vectors");
    node.read("source", source);
    node.read("weights", weights);
    return write_each_result(graph, node, problem);
}

} // namespace tuff::passes
