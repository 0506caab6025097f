#include "passes/lights/placed.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {

PlacedLights placed_lights(Graph& graph, const Lights& lights, const LightView& view) {
    const std::uint64_t count = std::max(lights.count, 1u);
    const auto vectors = [&](std::string_view name, std::uint64_t elements) {
        return graph.buffer(name,
                            {.size = elements * sizeof(glm::vec4), .stride = sizeof(glm::vec4)});
    };
    const Buffer status = graph.fill(array(graph, "status", 3), 0, "no_status");
    ComputeNodeBuilder node = graph.compute("lights/place");
    node.match<LightShade>("shades");
    node.set("count", lights.count);
    node.set("view_from_world", view.view_from_world);
    node.read("spheres", lights.spheres);
    node.read("shades", lights.shades);
    PlacedLights placed{.balls = node.write("balls", vectors("balls", count)),
                        .cones = node.write("cones", vectors("cones", 2 * count)),
                        .status = node.write("status", status)};
    node.dispatch_each(lights.count);
    return placed;
}

bool fits_a_buffer(Graph& graph, const LightGrid& grid, std::uint64_t words) {
    const std::uint64_t most =
        std::min<std::uint64_t>(graph.target().max_storage_buffer_bytes, std::uint64_t{4} << 30);
    if (4 * words <= most) return true;
    graph.error("lights/too-large",
                fmt::format("lists for {} lights and {} tiles take {} bytes, and a buffer of the "
                            "device holds {}",
                            grid.count, std::uint64_t{grid.tiles_x()} * grid.tiles_y(), 4 * words,
                            most),
                "take larger tiles, or fewer lights");
    return false;
}

} // namespace tuff::passes
