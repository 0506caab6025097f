#include "passes/volume/comparators.hpp"

#include "passes/primitives/elements.hpp"
#include "passes/scene/environment.hpp"
#include "passes/volume/sphere_lists.hpp"

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSteps = 1u << 16;
constexpr double kFarthestRange = 1e9;

/// The view of a pass with these inputs, and its result, as yet empty.
template <typename Pass>
std::optional<VolumeView> begin(Graph& graph, Pass& pass) {
    const Extent extent = graph.extent(pass.opaque);
    pass.result = volume_picture(graph, "result", extent,
                                 result_format(graph.desc(pass.opaque).format, pass.format));
    if (!is_valid(graph, pass.spheres)) return {};
    return volume_view(graph, pass.scene, pass.camera, extent.width, extent.height);
}

/// Binds what both kernels declare.
template <typename Pass>
void bind(ComputeNodeBuilder& node, Pass& pass, const VolumeView& view, const SortedSpheres& sorted,
          const TileLists& lists) {
    view.set(node);
    bind_lists(node, sorted, lists);
    node.read("dropped", sorted.status);
    node.read("opaque", pass.opaque, Sampler::nearest());
    node.set("softness", pass.softness);
    node.set("light", pass.lights.sum());
    pass.result = node.write("result", pass.result);
    view.dispatch(node);
}

template <typename Pass>
void describe_shared(PassInfo<Pass>& info) {
    info.input("opaque", &Pass::opaque,
               "color, and distance from the eye in alpha, from volume/opaque")
        .picture();
    info.input("spheres", &Pass::spheres, "spheres of media");
    info.optional_input("scene", &Pass::scene, "scene that an orbiting camera looks at");
    info.group("camera", &Pass::camera);
    info.group("lights", &Pass::lights);
    info.parameter("softness", &Pass::softness, "as in volume/fragments").range(0.0, kMaxSoftness);
    info.parameter("format", &Pass::format, "format of the picture; \"same\" is that of \"opaque\"")
        .structural();
    info.output("result", &Pass::result, "the picture, linear light");
}

} // namespace

void VolumeRayMarch::describe(PassInfo<VolumeRayMarch>& info) {
    info.summary("Renders spheres of media by ray marching, as a reference")
        .details("Each ray sums up the media of all spheres at the middle of each step; a step is "
                 "\"range\" divided by \"steps\". The error falls with the number of steps. Only "
                 "round spheres in light without shadows are supported; every ray tries all "
                 "spheres at every step.")
        .source("Szecsi, Barta and Kovacs, \"Volumetric Transparency with Per-Pixel Fragment "
                "Lists\", GPU Pro 3, 2012 (what it compares with)")
        .complexity("O(pixels * steps * spheres)")
        .cost([](const VolumeRayMarch& pass, const Graph& graph) {
            return picture_cost(graph, pass.opaque, pass.result,
                                10.0 * pass.steps * (1.0 + pass.spheres.count));
        });
    describe_shared(info);
    info.parameter("steps", &VolumeRayMarch::steps, "steps of a ray").range(1, kMaxSteps);
    info.parameter("range", &VolumeRayMarch::range, "length of a ray, from the eye")
        .range(1e-6, kFarthestRange)
        .unit("world units");
}

void VolumeRayMarch::build(Graph& graph) {
    const auto view = begin(graph, *this);
    if (!view) return;
    const SortedSpheres sorted = sort_spheres(graph, spheres, *view, volume_status(graph));
    ComputeNodeBuilder node = graph.compute("volume/ray_march", "march");
    node.set("steps", steps);
    node.set("range", range);
    bind(node, *this, *view, sorted, {});
    graph.status<VolumeStatus>(sorted.status);
}

void VolumeBillboards::describe(PassInfo<VolumeBillboards>& info) {
    info.summary("Draws spheres of media as blended billboards or soft particles, for comparison")
        .details("Each sphere is blended as a whole with the opacity of its thickness, in the "
                 "order of the centers, the nearest first. Hard billboards are cut where they meet "
                 "opaque surfaces; soft particles are as thick as the visible part of the sphere. "
                 "Both pop where spheres pass one another.")
        .source("Szecsi, Barta and Kovacs, \"Volumetric Transparency with Per-Pixel Fragment "
                "Lists\", GPU Pro 3, 2012 (what it compares with); Umenhoffer, Szirmay-Kalos and "
                "Szijarto, \"Spherical Billboards and Their Application to Rendering Explosions\", "
                "Graphics Interface 2006")
        .complexity("O(pixels * spheres of a tile)")
        .cost([](const VolumeBillboards& pass, const Graph& graph) {
            Cost cost = picture_cost(graph, pass.opaque, pass.result, 600.0);
            cost.bytes += 200.0 * pass.spheres.count;
            return cost;
        });
    describe_shared(info);
    info.parameter("edge", &VolumeBillboards::edge, "\"hard\" or \"soft\" at opaque surfaces")
        .structural();
    info.parameter("tile", &VolumeBillboards::tile, "side of a tile")
        .range(kLeastTile, kMaxTile)
        .unit("texels")
        .structural();
    info.parameter("tile_capacity", &VolumeBillboards::tile_capacity,
                   "entries of the lists of all tiles together")
        .range(0, kMaxTileEntries)
        .structural();
}

void VolumeBillboards::build(Graph& graph) {
    const auto view = begin(graph, *this);
    if (!view) return;
    SortedSpheres sorted =
        sort_spheres(graph, spheres, *view, volume_status(graph), SphereOrder::middle);
    const TileLists lists =
        spheres.count > 0 ? list_spheres(graph, sorted, *view, tile, tile_capacity) : TileLists{};
    ComputeNodeBuilder node = graph.compute("volume/billboards", "blend");
    specialize_cube_lookups(graph, node);
    node.read_optional("radius_map", Image{});
    node.specialize("kSoft", std::uint32_t(edge == BillboardEdge::soft));
    bind(node, *this, *view, sorted, lists);
    graph.status<VolumeStatus>(sorted.status);
}

TUFF_PASS(VolumeBillboards)
TUFF_PASS(VolumeRayMarch)

} // namespace tuff::passes
