#include "passes/filter/ways.hpp"

// Stand-ins until the other ways are merged.
namespace tuff::passes {

static Buffer pending(Graph& graph, std::string_view way) {
    graph.error("filter/pending", std::string(way) + " is not merged", "choose \"tiled\"");
    return {};
}
Buffer convolve_accumulated(Graph& graph, Buffer, Buffer, const FilterProblem&) {
    return pending(graph, "accumulated");
}
Buffer convolve_vectors(Graph& graph, Buffer, Buffer, const FilterProblem&) {
    return pending(graph, "vectors");
}
Buffer convolve_packed(Graph& graph, Buffer, Buffer, const FilterProblem&) {
    return pending(graph, "packed");
}
Buffer convolve_multipass(Graph& graph, Buffer, Buffer, const FilterProblem&, std::uint32_t) {
    return pending(graph, "multipass");
}
Buffer convolve_fft(Graph& graph, Buffer, Buffer, const FilterProblem&) {
    return pending(graph, "fft");
}
Buffer convolve_tiles_fft(Graph& graph, Buffer, Buffer, const FilterProblem&) {
    return pending(graph, "tiles_fft");
}
Buffer convolve_matrix(Graph& graph, Buffer, Buffer, const FilterProblem&) {
    return pending(graph, "matrix");
}

} // namespace tuff::passes
