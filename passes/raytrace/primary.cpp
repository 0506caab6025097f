#include "passes/raytrace/primary.hpp"

#include "passes/bvh/cast.hpp"

namespace tuff::passes {

void PrimaryRays::describe(PassInfo<PrimaryRays>& info) {
    info.summary("Makes a ray through the center of each pixel of a picture")
        .details("The rays are in the format of bvh/cast, with unit directions, in the order of "
                 "tiles of 8x8 pixels, so neighbours are traced together. Rays of the last tiles "
                 "outside of the picture hit nothing: their greatest t is negative. Parallel rays "
                 "start at the camera's near plane.")
        .source("Garcia, Avila, Ribeiro and Garcia, \"Interactive Ray Tracing Using the Compute "
                "Shader in DirectX 11\", GPU Pro 3, 2012")
        .complexity("O(pixels)")
        .cost([](const PrimaryRays& pass, const Graph&) {
            const double rays = TiledSize{pass.width, pass.height}.slots();
            return Cost{.bytes = kRayBytes * rays, .operations = 30.0 * rays};
        });
    info.input("scene", &PrimaryRays::scene, "the scene that the camera looks at");
    info.parameter("width", &PrimaryRays::width, "width of the picture")
        .range(1, kMaxTracedSide)
        .unit("texels")
        .structural();
    info.parameter("height", &PrimaryRays::height, "height of the picture")
        .range(1, kMaxTracedSide)
        .unit("texels")
        .structural();
    info.group("camera", &PrimaryRays::camera);
    info.output("rays", &PrimaryRays::rays, "the rays, eight words each").elements<RayRecord>();
}

void PrimaryRays::build(Graph& graph) {
    const auto camera_of = camera_rays(graph, *scene.data, width, height, camera, {});
    if (!camera_of) return;
    ComputeNodeBuilder node = graph.compute("raytrace/primary", "rays");
    camera_of->set(node);
    node.set("sample_offset", 0u);
    node.read_optional("frame", Buffer{});
    const std::uint32_t slots = camera_of->size.slots();
    rays = node.write(
        "rays", graph.buffer("rays", {.size = std::uint64_t{slots} * kRayBytes, .stride = 4}));
    node.dispatch_each(slots);
}

TUFF_PASS(PrimaryRays)

} // namespace tuff::passes
