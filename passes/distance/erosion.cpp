#include "passes/distance/erosion.hpp"

#include "passes/common/picture.hpp"

#include <glm/vec2.hpp>

#include <algorithm>

namespace tuff::passes {
namespace {

std::uint32_t channels_of(const ErosionDistance& pass) {
    return pass.channels == FieldChannels::two ? 2 : 1;
}

Format eroded_format(const ErosionDistance& pass) {
    const Format one = field_format(pass.storage);
    return pass.channels == FieldChannels::two ? two_channels_of(one) : one;
}

/// The largest squared distance that is stored.
std::uint32_t most_stored(const ErosionDistance& pass) {
    return pass.clamp == 0 ? unreached(pass.storage) - 1 : pass.clamp * pass.clamp;
}

Image new_field(Graph& graph, const ErosionDistance& pass) {
    ComputeNodeBuilder node = graph.compute("distance/field_start");
    node.set("unreached", unreached(pass.storage));
    node.read("seed", pass.seed, Sampler::nearest());
    const Image start =
        node.write("field", image_like(graph, "field", pass.seed, eroded_format(pass)));
    node.dispatch_over(graph.extent(pass.seed));
    return start;
}

/// The passes that `texels` of an axis may need: each square that is stored, and the pass that
/// finds nothing.
std::uint32_t longest_erosion(const ErosionDistance& pass, std::uint32_t texels) {
    const std::uint32_t across = texels + (pass.border == FieldBorder::object ? 1 : 0);
    std::uint32_t stored = 0; // passes of which something is
    while (stored + 1 < across && std::uint64_t{stored + 1} * (stored + 1) <= most_stored(pass))
        ++stored;
    return stored + 1;
}

LoopedField erode(Graph& graph, const ErosionDistance& pass, std::string_view name,
                  glm::ivec2 along, std::uint32_t texels, Image even, Image odd) {
    const bool draws = pass.back_end != PassBackEnd::compute;
    const auto bind = [&](KernelNode& node, std::uint32_t) {
        node.set("along", along);
        node.set("most", most_stored(pass));
        node.set("border", static_cast<std::uint32_t>(pass.border));
        node.set("unreached", unreached(pass.storage));
    };
    return run_loop(graph,
                    {.name = name,
                     .length = loop_length(pass.max_passes, longest_erosion(pass, texels)),
                     .back_end = pass.back_end,
                     .kernel = draws ? "distance/erosion_draw" : "distance/erosion",
                     .variant = {{"CHANNELS", channels_of(pass)}},
                     .bind = bind},
                    even, odd);
}

} // namespace

void ErosionDistance::describe(PassInfo<ErosionDistance>& info) {
    info.summary("Measures squared Euclidean distances by erosion of rows, then columns")
        .details(
            "Pass d gives each texel the least of its own value and of its two neighbours' values "
            "along the axis plus 2d - 1; n passes compute the least f(x + k) + k^2 over |k| <= n. "
            "The rows are finished first, then the columns. The device ends each loop after a pass "
            "that changed nothing; this is safe, because a texel that does not improve at one "
            "offset does not improve at a larger one. The result is exact.\n\nWith a clamp, "
            "squares above the clamp's square are not stored, so loops are short, and farther "
            "texels get the clamp's square. Without a clamp, fields of 16 bits hold distances up "
            "to 255; farther texels stay unreached, all ones, and a warning reports them. An empty "
            "seed has no others, nor has the second channel of a seed of objects alone; with 32 "
            "bits they hold 2^31 - 1, and warnings report both seeds (distance/empty-seed, "
            "distance/full-seed). Two "
            "channels share the same passes: red has the distances to objects, green to the "
            "background. The border mode \"object\" applies to red only.\n\n\"raster\" and "
            "\"query\" draw the passes, \"compute\" dispatches them: all give the same fields "
            "after the same number of passes. Changes are detected by a word on the device, or "
            "with \"query\" by an occlusion query, which needs a copy of the field before each "
            "pass. The status has the passes of both loops together, and the passes along rows.")
        .source("Rideout, \"2D Distance Field Generation with the GPU\", OpenGL Insights, 2012; "
                "Lotufo and Zampirolli, \"Fast Multidimensional Parallel Euclidean Distance "
                "Transform Based on Mathematical Morphology\", SIBGRAPI 2001")
        .complexity("O(texels * passes)")
        .cost([](const ErosionDistance& pass, const Graph& graph) {
            return picture_cost(graph, pass.seed, pass.field, 0.0);
        });
    info.input("seed", &ErosionDistance::seed, "not 0: an object; see distance/seed");
    info.parameter("clamp", &ErosionDistance::clamp,
                   "largest distance; 0: as large as the storage holds")
        .range(0, kMaxFieldSide)
        .unit("texels")
        .structural();
    info.parameter("storage", &ErosionDistance::storage, "format of a channel of the field")
        .structural();
    info.parameter("border", &ErosionDistance::border, "texels outside the picture").structural();
    info.parameter("channels", &ErosionDistance::channels,
                   "distances to objects only, or also to the background")
        .structural();
    info.parameter("back_end", &ErosionDistance::back_end, "how passes run").structural();
    info.parameter("max_passes", &ErosionDistance::max_passes,
                   "most passes of each loop; 0: as many as the picture may need")
        .range(0, kMaxFieldSide)
        .structural();
    info.output("field", &ErosionDistance::field,
                "squared distances, of the seed's size; unreached texels are all ones or 2^31 - 1");
    info.output("status", &ErosionDistance::status, "counts, passes and codes")
        .elements<DistanceStatus>();
}

void ErosionDistance::build(Graph& graph) {
    if (!is_seed(graph, seed) || !has_channels(graph, storage, channels)) return;
    if (!holds_clamp(graph, storage, clamp)) return;
    const Extent size = graph.extent(seed);
    const LoopedField rows = erode(graph, *this, "rows", {1, 0}, size.width,
                                   new_field(graph, *this), new_field(graph, *this));
    const LoopedField columns =
        erode(graph, *this, "columns", {0, 1}, size.height, rows.field, rows.copy);

    ComputeNodeBuilder node =
        graph.compute("distance/erosion_end", {{"CHANNELS", channels_of(*this)}});
    node.set("unreached", unreached(storage));
    node.set("clamped", clamp == 0 ? unreached(storage) : clamp * clamp);
    node.set("object_outside", border == FieldBorder::object ? 1u : 0u);
    node.set("changing_rows", rows.length.changes);
    node.set("changing_columns", columns.length.changes);
    node.read("eroded", columns.field, Sampler::nearest());
    node.read("row_passes", rows.passes);
    node.read("column_passes", columns.passes);
    node.read("rows_done", rows.done);
    node.read("columns_done", columns.done);
    field = node.write("field", image_like(graph, "field", seed, eroded_format(*this)));
    status = node.write("status", count_seed(graph, seed, border));
    node.dispatch_over(size);
    graph.status<DistanceStatus>(status);
}

TUFF_PASS(ErosionDistance)

} // namespace tuff::passes
