#include "passes/lights/grid.hpp"

#include <fmt/format.h>

namespace tuff::passes {

void bind_grid(KernelNode& node, const Lights& lights, const LightGrid& grid) {
    node.match<LightShade>("shades");
    node.set("count", lights.count);
    node.set("words", grid.words);
    node.set("summary_words", grid.summary_words);
    node.set("room", grid.room);
    node.set("side", grid ? grid.side : 1u);
    node.set("tiles_x", grid ? grid.tiles_x() : 1u);
    node.set("lists_a_tile", grid.lists_a_tile);
    node.set("bin_terms", grid.bin_terms);
    node.read("spheres", lights.spheres);
    node.read("shades", lights.shades);
    node.read_optional("bounds", grid.bounds);
    node.read_optional("bins", grid.bins);
    node.read_optional("masks", grid.masks);
    node.read_optional("summaries", grid.summaries, "has_masks");
    node.read_optional("lists", grid.lists);
    node.read_optional("counts", grid.counts, "has_lists");
}

bool is_grid_of(Graph& graph, const LightGrid& grid, Extent extent, std::uint32_t lights) {
    if (grid.width == extent.width && grid.height == extent.height && grid.count == lights)
        return true;
    graph.error("lights/other-grid",
                fmt::format("\"grid\" is for {} lights and a picture of {}x{}, but there are "
                            "{} lights and a picture of {}x{}",
                            grid.count, grid.width, grid.height, lights, extent.width,
                            extent.height),
                "connect the same lights and depth to lights/cull");
    return false;
}

} // namespace tuff::passes
