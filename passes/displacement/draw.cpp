#include "passes/displacement/draw.hpp"

#include "passes/raytrace/camera_rays.hpp"
#include "passes/raytrace/primary.hpp"

#include <tuff/scene.hpp>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <cmath>

namespace tuff::passes {

void DrawDisplaced::describe(PassInfo<DrawDisplaced>& info) {
    info.summary("Draws a displaced surface by rays: lit by a sun with shadows, or its levels "
                 "or loads")
        .details("Each pixel has one ray, and each hit has one shadow ray to the sun. The "
                 "camera orbits around \"center\".\n\n"
                 "\"levels\" shows the level at which rays hit patches, from black for 0 to "
                 "white for the finest. \"loads\" shows how many rays hit each patch's box.")
        .complexity("O(pixels * level)")
        .cost([](const DrawDisplaced& pass, const Graph&) {
            const double pixels = static_cast<double>(pass.width) * pass.height;
            return Cost{.bytes = 150.0 * pixels, .operations = 8000.0 * pixels};
        });
    info.input("surface", &DrawDisplaced::surface, "the surface to draw");
    info.parameter("width", &DrawDisplaced::width, "width of the picture")
        .range(1, kMaxTracedSide)
        .unit("texels")
        .structural();
    info.parameter("height", &DrawDisplaced::height, "height of the picture")
        .range(1, kMaxTracedSide)
        .unit("texels")
        .structural();
    info.group("camera", &DrawDisplaced::camera);
    info.parameter("view", &DrawDisplaced::view, "what is shown").structural();
    info.parameter("method", &DrawDisplaced::method,
                   "how rays find their hits, as in "
                   "displacement/cast")
        .structural();
    info.parameter("leaf", &DrawDisplaced::leaf,
                   "the shape of the finest cells for rays, as "
                   "in displacement/cast")
        .structural();
    info.parameter("pixels", &DrawDisplaced::pixels,
                   "size of a cell that is fine enough; 0: all patches use the finest level")
        .range(0.0, 64.0)
        .unit("texels");
    info.parameter("shadows", &DrawDisplaced::shadows, "whether the sun casts shadows")
        .structural();
    info.parameter("sun", &DrawDisplaced::sun, "direction to the sun, of any length");
    info.parameter("low_color", &DrawDisplaced::low_color, "color of the surface near the quads")
        .range(0.0, 1.0);
    info.parameter("middle_color", &DrawDisplaced::middle_color, "color slightly above the quads")
        .range(0.0, 1.0);
    info.parameter("high_color", &DrawDisplaced::high_color,
                   "color from two thirds of \"high\" above the quads")
        .range(0.0, 1.0);
    info.parameter("high", &DrawDisplaced::high,
                   "height of the highest parts above the quads: along normals, or with "
                   "vectors along y")
        .unit("world units");
    info.parameter("center", &DrawDisplaced::center, "center of the camera's orbit");
    info.parameter("radius", &DrawDisplaced::radius,
                   "radius of the sphere that fills the "
                   "picture")
        .range(1e-6, 1e9)
        .unit("world units");
    info.parameter("most_rays", &DrawDisplaced::most_rays,
                   "loads: rays of a patch that is shown white")
        .range(1, 1 << 30);
    info.output("color", &DrawDisplaced::color, "the picture, linear");
}

void DrawDisplaced::build(Graph& graph) {
    if (!(glm::length(sun) > 0.0f)) {
        graph.error("displacement/no-sun", "the sun's direction is zero",
                    "give the direction to the sun; [0, 1, 0] is straight up");
        return;
    }
    SceneData about;
    about.bounds = {center - glm::vec3(radius) / std::sqrt(3.0f),
                    center + glm::vec3(radius) / std::sqrt(3.0f)};
    const auto rays_of = camera_rays(graph, about, width, height, camera, {});
    if (!rays_of) return;
    ComputeNodeBuilder primary = graph.compute("raytrace/primary", "rays");
    rays_of->set(primary);
    primary.set("sample_offset", 0u);
    primary.read_optional("frame", Buffer{});
    const std::uint32_t slots = rays_of->size.slots();
    const Buffer rays = primary.write(
        "rays", graph.buffer("rays", {.size = std::uint64_t{slots} * kRayBytes, .stride = 4}));
    primary.dispatch_each(slots);

    const bool perspective = rays_of->camera.kind == Projection::perspective;
    const float pixel = 2.0f * std::tan(0.5f * glm::radians(rays_of->camera.vertical_fov)) /
                        static_cast<float>(height);
    CastDisplaced cast{.surface = surface,
                       .rays = rays,
                       .before = {},
                       .spread = perspective ? pixels * pixel : 0.0f,
                       .from = FinenessFrom::eye,
                       .eye = rays_of->camera.position,
                       .method = view == DisplacedView::loads ? PatchMethod::deferred : method,
                       .leaf = leaf,
                       .with_levels = true};
    cast = graph.add(cast);
    if (!cast.hits) return;

    const glm::vec3 to_sun = glm::normalize(sun);
    Buffer light_hits;
    if (view == DisplacedView::lit && shadows) {
        ComputeNodeBuilder node = graph.compute("displacement/light_rays");
        surface.bind(node);
        surface.bind_places(node);
        node.read("rays", rays);
        node.read("hits", cast.hits);
        node.read("levels", cast.levels);
        node.set("ray_count", slots);
        node.set("scale", surface.scale);
        node.set("apart", leaf == PatchLeaf::boxes ? 1.5f : 0.7f);
        node.set("sun", to_sun);
        const Buffer light_rays = node.write(
            "light_rays",
            graph.buffer("light_rays", {.size = std::uint64_t{slots} * kRayBytes, .stride = 4}));
        node.dispatch_each(slots);
        light_hits = graph
                         .add(CastDisplaced{.surface = surface,
                                            .rays = light_rays,
                                            .before = {},
                                            .spread = cast.spread,
                                            .from = cast.from,
                                            .eye = cast.eye,
                                            .method = method,
                                            .leaf = leaf,
                                            .any = true},
                              "shadows")
                         .hits;
    }
    ComputeNodeBuilder node = graph.compute("displacement/shade");
    surface.bind(node);
    surface.bind_places(node);
    node.specialize("view", static_cast<std::uint32_t>(view));
    node.read("rays", rays);
    node.read("hits", cast.hits);
    node.read("levels", cast.levels);
    node.read_optional("light_hits", light_hits, "has_shadows");
    node.read("loads", cast.loads ? cast.loads : cast.levels);
    node.set("size", glm::uvec2(width, height));
    node.set("tiles_per_row", rays_of->size.tiles_per_row());
    node.set("finest", surface.level);
    node.set("scale", surface.scale);
    node.set("most", static_cast<float>(most_rays));
    node.set("sun", to_sun);
    node.set("low_color", low_color);
    node.set("middle_color", middle_color);
    node.set("high_color", high_color);
    node.set("high", high);
    const Extent extent{width, height, 1};
    color = node.write("result",
                       graph.image("color", {.format = Format::rgba16_sfloat, .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(DrawDisplaced)

} // namespace tuff::passes
