#include "passes/distance/saito.hpp"

#include "passes/common/picture.hpp"

namespace tuff::passes {
namespace {

/// More than any side: stands for "no object in this row".
constexpr std::uint32_t kNoObjectInRow = kMaxFieldSide + 1;

Image sweep_rows(Graph& graph, Image seed, Image forward, std::uint32_t far) {
    ComputeNodeBuilder node = graph.compute("distance/row_sweep", {{"BACKWARD", forward ? 1u : 0u}},
                                            forward ? "rows_backward" : "rows_forward");
    node.set("far", far);
    node.read("seed", seed, Sampler::nearest());
    if (forward) node.read("forward", forward, Sampler::nearest());
    const Image rows = node.write("rows", image_like(graph, "rows", seed, Format::r32_uint));
    node.dispatch_over({.width = graph.extent(seed).height, .height = 1});
    return rows;
}

} // namespace

void SaitoToriwaki::describe(PassInfo<SaitoToriwaki>& info) {
    info.summary("Measures squared Euclidean distances to the nearest object, exactly")
        .details("An invocation sweeps each row to the right and back; then each texel takes the "
                 "least of the rows' squared distances plus that along its column. Where no object "
                 "is near enough the field is the clamp's square, or 2^31 - 1 without a clamp.")
        .source(
            "Saito and Toriwaki, \"New Algorithms for Euclidean Distance Transformation\", "
            "Pattern Recognition 27, 1994; Rideout, \"2D Distance Field Generation with the GPU\", "
            "OpenGL Insights, 2012")
        .complexity("O(texels * distance), brute O(texels * height)")
        .cost([](const SaitoToriwaki& pass, const Graph& graph) {
            return picture_cost(graph, pass.seed, pass.field, 8.0);
        });
    info.input("seed", &SaitoToriwaki::seed, "not 0: an object; see distance/seed");
    info.parameter("clamp", &SaitoToriwaki::clamp,
                   "distances are at most this; 0: as long as the picture asks for")
        .range(0, kMaxFieldSide)
        .unit("texels");
    info.parameter("columns", &SaitoToriwaki::columns, "how the columns are minimised")
        .structural();
    info.output("field", &SaitoToriwaki::field, "r32_uint of the seed's size: squared distances");
    info.output("status", &SaitoToriwaki::status, "counts of objects and background, and codes")
        .elements<DistanceStatus>();
}

void SaitoToriwaki::build(Graph& graph) {
    if (!is_seed(graph, seed)) return;
    const std::uint32_t far = clamp == 0 ? kNoObjectInRow : clamp;
    const Image forward = sweep_rows(graph, seed, Image{}, far);
    const Image rows = sweep_rows(graph, seed, forward, far);
    ComputeNodeBuilder node = graph.compute(
        "distance/columns", {{"BRUTE", columns == ColumnMode::brute ? 1u : 0u}}, "columns");
    node.set("far", far);
    node.set("most", clamp == 0 ? kUnreached32 : clamp * clamp);
    node.read("rows", rows, Sampler::nearest());
    field = node.write("field", image_like(graph, "field", seed, Format::r32_uint));
    node.dispatch_over(graph.extent(seed));
    status = count_seed(graph, seed);
    graph.status<DistanceStatus>(status);
}

TUFF_PASS(SaitoToriwaki)

} // namespace tuff::passes
