#include "passes/terrain/shade_planet.hpp"

#include "passes/common/picture.hpp"
#include "passes/terrain/view.hpp"

#include <glm/geometric.hpp>

#include <optional>

namespace tuff::passes {

void ShadePlanet::describe(PassInfo<ShadePlanet>& info) {
    info.summary("Shades a planet and its atmosphere, seen from orbit or from the ground")
        .details("The ground is colored by height and slope, with snow above and at the poles. "
                 "The sea reflects the sun. The day side is lit, the night side dark.\n\n"
                 "The atmosphere has single scattering: blue above, white at the horizon, red "
                 "at a low sun, and a bright limb seen from outside. Its density falls by e "
                 "with each \"air\" of height. The background is stars.\n\n"
                 "Errors: terrain/not-a-planet, image/size-mismatch.")
        .source("Nishita, Sirai, Tadamura and Nakamae, \"Display of the Earth Taking into Account "
                "Atmospheric Scattering\", SIGGRAPH 1993; Kasten and Young, \"Revised Optical Air "
                "Mass Tables\", Applied Optics 28(22), 1989")
        .complexity("O(pixels)")
        .cost([](const ShadePlanet& pass, const Graph& graph) {
            return picture_cost(graph, pass.normals, pass.color, 1500.0);
        });
    info.input("surface", &ShadePlanet::surface, "the planet, from terrain/planet");
    info.input("depth", &ShadePlanet::depth,
               "depth of terrain/draw_mesh: 0 near, 1 far or "
               "nothing")
        .picture();
    info.input("normals", &ShadePlanet::normals, "normals and heights of terrain/draw_mesh")
        .picture();
    info.group("camera", &ShadePlanet::camera);
    info.parameter("sun", &ShadePlanet::sun, "direction to the sun, in the planet's axes");
    info.parameter("light", &ShadePlanet::light, "intensity of the sun").range(0.0, 1000.0);
    info.parameter("air", &ShadePlanet::air,
                   "scale height: the density of air falls by e over "
                   "it; 0: no air")
        .range(0.0, 0.1)
        .unit("radii");
    info.parameter("haze", &ShadePlanet::haze, "density of the air, relative to the Earth's")
        .range(0.0, 100.0);
    info.parameter("snow", &ShadePlanet::snow, "heights between which snow begins")
        .range(0.0, 1.0)
        .unit("radii");
    info.output("color", &ShadePlanet::color, "the picture, rgba16_sfloat, linear");
}

void ShadePlanet::build(Graph& graph) {
    if (surface.kind != SurfaceKind::planet) {
        graph.error("terrain/not-a-planet", "\"surface\" is not a planet",
                    "connect the output of terrain/planet");
        return;
    }
    if (!same_size(graph, depth, "depth", normals, "normals")) return;
    const Extent extent = graph.extent(depth);
    const std::optional<TerrainView> view =
        terrain_view(graph, camera, surface, extent.width, extent.height);
    if (!view) return;
    const glm::mat4 inverse = glm::inverse(view->camera.view());
    const float across = static_cast<float>(extent.width) / static_cast<float>(extent.height);
    const auto tangent = static_cast<float>(0.5 * view->extent);
    const float length = glm::length(sun);
    ComputeNodeBuilder node = graph.compute("terrain/shade_planet");
    node.set("size", glm::uvec2(extent.width, extent.height));
    node.set("right", glm::vec4(glm::vec3(inverse[0]) * tangent * across, 0.0f));
    node.set("up", glm::vec4(glm::vec3(inverse[1]) * tangent, 0.0f));
    node.set("ahead", glm::vec4(-glm::vec3(inverse[2]), 0.0f));
    node.set("ends", glm::vec2(view->camera.near_plane, view->camera.far_plane));
    node.set("sun", glm::vec4(length > 0.0f ? sun / length : glm::vec3(0.0f, 1.0f, 0.0f), light));
    node.set("snow", snow);
    node.set("air", air);
    node.set("haze", haze);
    node.read("words", surface.planet);
    node.read("depth", depth);
    node.read("normals", normals);
    color = node.write("color", image_like(graph, "color", depth, Format::rgba16_sfloat));
    node.dispatch_over(extent);
}

TUFF_PASS(ShadePlanet)

} // namespace tuff::passes
