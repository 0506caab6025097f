#include "passes/oit/shade.hpp"

#include "passes/oit/modes.hpp"
#include "passes/oit/single_sample.hpp"
#include "passes/raytrace/surfaces.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

bool is_valid(Graph& graph, const OitShade& pass) {
    if (!is_single_sample(graph, pass.view)) return false;
    if (pass.captured.payload != FragmentPayload::triangle) {
        graph.error("oit/no-triangles", "the fragments have another payload than their triangles",
                    "connect those of geometry/capture_fragments");
        return false;
    }
    if (!pass.captured.mesh.draws) {
        graph.error("graph/unconnected", "the captured triangles do not name the scene's draws",
                    "geometry/triangles makes a scene's mesh");
        return false;
    }
    if (pass.packing == FragmentPacking::compact || pass.packing == FragmentPacking::tight) {
        graph.error("oit/packing", "captured fragments become \"standard\" or \"hdr\" ones");
        return false;
    }
    const Extent extent = graph.extent(pass.view.color);
    const glm::uvec2 size = pass.captured.area.size;
    if (extent.width != size.x || extent.height != size.y) {
        graph.error("image/size-mismatch",
                    fmt::format("the fragments are of {}x{} pixels, and the picture of {}x{}",
                                size.x, size.y, extent.width, extent.height));
        return false;
    }
    return modes_are_valid(graph, pass.modes);
}

} // namespace

void OitShade::describe(PassInfo<OitShade>& info) {
    info.summary("Gives colours to the fragments of geometry/capture_fragments")
        .details("For devices that barely rasterize: what oit/capture keeps, from fragments that "
                 "are known by triangle and depth. They are shaded as oit/compute does it, and lie "
                 "in arrays. Fragments that oit/capture does not keep become empty: of materials "
                 "that do not blend, behind the picture's depth, and of single-sided faces that "
                 "look away; oit/statistics and the status count them. A pixel whose "
                 "fragments did not all fit shows none.")
        .source("Thibieroz, \"Order-Independent Transparency using Per-Pixel Linked Lists\", "
                "GPU Pro 2, 2011")
        .complexity("O(pixels + fragments)");
    info.input("captured", &OitShade::captured,
               "from geometry/capture_fragments, by the view's camera, of the scene's triangles");
    info.input("scene", &OitShade::scene, "whose triangles they are");
    info.input("view", &OitShade::view,
               "from scene/mesh_raster with one sample, which leaves blended materials out");
    info.parameter("packing", &OitShade::packing, "\"standard\" or \"hdr\"").structural();
    info.parameter("modes", &OitShade::modes, "how the materials blend, as oit/capture has it")
        .range(0, 3);
    info.output("lists", &OitShade::lists, "for oit/resolve");
}

void OitShade::build(Graph& graph) {
    if (!is_valid(graph, *this)) return;
    const auto batches = material_batches(graph, *scene.data, MaterialPasses::single);
    if (batches.empty()) return;
    lists = {.heads = captured.heads,
             .status = captured.status,
             .payload = payload_of(packing),
             .layout = FragmentLayout::arrays,
             .capacity = captured.capacity,
             .area = captured.area};
    ComputeNodeBuilder node = graph.compute("oit/shade", batches.front().variant());
    bind_view(graph, node, view);
    bind_surfaces(graph, node, scene, captured.mesh, batches.front());
    specialize_fragments(node, lists);
    node.set("size", lists.area.size);
    node.set("capacity", lists.capacity);
    const auto packed = packed_modes(modes);
    node.set("modes", std::span<const glm::uvec4>(packed));
    node.read("heads", captured.heads);
    node.read("captured", captured.fragments);
    node.read("opaque_depth", view.depth, Sampler::nearest());
    lists.fragments = node.write("fragments", fragment_buffer(graph, lists));
    node.dispatch_over({lists.area.size.x, lists.area.size.y, 1});
}

TUFF_PASS(OitShade)

} // namespace tuff::passes
