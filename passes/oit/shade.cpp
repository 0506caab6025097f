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
        graph.error("oit/no-triangles", "the fragments do not hold triangles",
                    "connect the fragments of geometry/capture_fragments");
        return false;
    }
    if (!pass.captured.mesh.draws) {
        graph.error("graph/unconnected", "the captured triangles do not store the scene's draws",
                    "capture the mesh of geometry/triangles");
        return false;
    }
    if (pass.packing == FragmentPacking::compact || pass.packing == FragmentPacking::tight) {
        graph.error("oit/packing",
                    "captured fragments can only be packed as \"standard\" or \"hdr\"");
        return false;
    }
    const Extent extent = graph.extent(pass.view.color);
    const glm::uvec2 size = pass.captured.area.size;
    if (extent.width != size.x || extent.height != size.y) {
        graph.error("image/size-mismatch",
                    fmt::format("the fragments are of a picture of {}x{} pixels, but the view has "
                                "{}x{}",
                                size.x, size.y, extent.width, extent.height));
        return false;
    }
    return modes_are_valid(graph, pass.modes);
}

} // namespace

void OitShade::describe(PassInfo<OitShade>& info) {
    info.summary("Shades the fragments of geometry/capture_fragments")
        .details("Use it on devices without fast rasterization, in place of oit/capture. The pass "
                 "turns fragments with triangle and depth into fragments with colors, in arrays, "
                 "shaded as in oit/compute. Fragments that oit/capture would not keep become "
                 "empty: those of opaque materials, behind the picture's depth, or of single-sided "
                 "faces that face away; oit/statistics and the status count them. A pixel whose "
                 "fragments did not all fit shows none.")
        .source("Thibieroz, \"Order-Independent Transparency using Per-Pixel Linked Lists\", GPU "
                "Pro 2, 2011")
        .complexity("O(pixels + fragments)");
    info.input("captured", &OitShade::captured,
               "fragments of the scene's triangles from geometry/capture_fragments, with the "
               "view's camera");
    info.input("scene", &OitShade::scene, "the scene of the triangles");
    info.input("view", &OitShade::view,
               "the view of scene/mesh_raster with one sample, which leaves out blended materials");
    info.parameter("packing", &OitShade::packing, "\"standard\" or \"hdr\"").structural();
    info.parameter("modes", &OitShade::modes, "how each material blends, as in oit/capture")
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
