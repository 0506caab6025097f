#include "passes/lights/placed.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {

PlacedLights placed_lights(Graph& graph, const Lights& lights, const LightView& view,
                           std::uint32_t stride, const LightStrips& strips) {
    const std::uint32_t nodes = lights.nodes ? lights.node_count() : 0;
    const std::uint32_t tops = lights.tops ? lights.top_count() : 0;
    const std::uint64_t count = std::max(lights.count, 1u);
    const auto vectors = [&](std::string_view name, std::uint64_t elements) {
        return graph.buffer(name,
                            {.size = elements * sizeof(glm::vec4), .stride = sizeof(glm::vec4)});
    };
    ComputeNodeBuilder node = graph.compute("lights/place");
    node.match<LightShade>("shades");
    node.set("count", lights.count);
    node.set("node_count", nodes);
    node.set("top_count", tops);
    const bool has_strips = strips.columns > 0 && lights.count > 0;
    constexpr std::uint32_t kLightsOfWord = 32; // a group with strips has one
    const std::uint32_t all = lights.count + nodes + tops;
    const std::uint32_t groups =
        std::max(div_round_up(all, has_strips ? kLightsOfWord : node.group_size()[0]), 1u);
    node.set("groups", groups);
    node.set("stride", stride);
    node.set("view_from_world", view.view_from_world);
    const DeviceCaps& target = graph.target();
    const bool by_ballots =
        target.min_subgroup_size == kLightsOfWord && target.max_subgroup_size == kLightsOfWord;
    node.specialize("has_strips", std::uint32_t(has_strips));
    node.specialize("by_ballots", std::uint32_t(by_ballots));
    node.set("strips", glm::uvec2(strips.columns, strips.rows));
    node.set("block", strips.block);
    node.set("size", strips.size);
    node.set("scale", view.scale);
    node.set("perspective", view.perspective);
    node.read("spheres", lights.spheres);
    node.read("shades", lights.shades);
    node.read_optional("nodes", lights.nodes);
    node.read_optional("tops", lights.tops, "has_nodes");
    PlacedLights placed{.balls =
                            node.write("balls", vectors("balls", stride * count + nodes + tops)),
                        .cones = node.write("cones", vectors("cones", 2 * count)),
                        .bad_counts = node.write("bad_counts", array(graph, "bad_counts", groups)),
                        .groups = groups,
                        .stride = stride};
    const std::uint64_t words =
        std::uint64_t{strips.columns + strips.rows} * div_round_up(lights.count, kLightsOfWord);
    const Buffer reached = node.write("strips", array(graph, "strips", has_strips ? words : 1));
    if (has_strips) placed.strips = reached;
    node.dispatch_each(groups * node.group_size()[0]);
    return placed;
}

void write_status(Graph& graph, KernelNode& node, LightGrid& grid, const PlacedLights& placed) {
    node.set("place_groups", placed.groups);
    node.read("bad_counts", placed.bad_counts);
    grid.status = node.write("status", array(graph, "status", 3));
}

void write_masks(Graph& graph, KernelNode& node, LightGrid& grid) {
    const std::uint64_t lists = grid.list_count();
    grid.masks = node.write("masks", array(graph, "masks", lists * grid.words));
    grid.summaries = node.write("summaries", array(graph, "summaries", lists * grid.summary_words));
}

bool fits_a_buffer(Graph& graph, const LightGrid& grid, std::uint64_t words) {
    const std::uint64_t most =
        std::min<std::uint64_t>(graph.target().max_storage_buffer_bytes, std::uint64_t{4} << 30);
    if (4 * words <= most) return true;
    graph.error("lights/too-large",
                fmt::format("lists for {} lights and {} tiles take {} bytes, but a buffer of "
                            "the device holds {}",
                            grid.count, std::uint64_t{grid.tiles_x()} * grid.tiles_y(), 4 * words,
                            most),
                "use larger tiles or fewer lights");
    return false;
}

} // namespace tuff::passes
