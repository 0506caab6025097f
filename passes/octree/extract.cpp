#include "passes/octree/extract.hpp"

#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/primitives/gather.hpp"
#include "passes/primitives/radix_sort.hpp"

#include <algorithm>

namespace tuff::passes {

OctreeVoxelStatus OctreeVoxelStatus::read(std::span<const std::uint32_t> words) {
    return status_from<OctreeVoxelStatus>(words);
}

Diagnostics OctreeVoxelStatus::warnings() const {
    if (found <= room) return {};
    return {warning("octree/lost-voxels",
                    fmt::format("{} voxels are occupied, but only {} fit", found, room),
                    "increase \"most_voxels\", or choose a coarser \"level\"")};
}

std::vector<PoolNeed> OctreeVoxelStatus::pool_needs() const {
    if (found <= room) return {};
    return {{"voxels", found}};
}

namespace {

/// By keys, which are of the tree's length, as far as there are any.
void sort_voxels(Graph& graph, OctreeVoxels& voxels, Buffer keys, Buffer found,
                 std::uint32_t room) {
    const bool is_long = voxels.shape.key_words() == 2;
    const Buffer order =
        graph
            .add(RadixSort{.keys = keys,
                           .count = found,
                           .type = is_long ? SortKey::u64 : SortKey::u32,
                           .length = room,
                           .end_bit = static_cast<int>(3 * voxels.shape.depth), // then a 1
                           .with_permutation = true},
                 "sort")
            .permutation;
    const auto moved = [&](Buffer source, int words, std::string_view name) {
        return graph
            .add(Gather{.source = source,
                        .indices = order,
                        .count = found,
                        .length = room,
                        .words = words},
                 name)
            .result;
    };
    voxels.places = moved(voxels.places, 4, "sorted_places");
    voxels.colors = moved(voxels.colors, 1, "sorted_colors");
}

} // namespace

std::uint32_t shown_level(const OctreeShape& shape, std::uint32_t level) {
    return level == 0 ? shape.depth : std::min(level, shape.depth);
}

void ExtractVoxels::describe(PassInfo<ExtractVoxels>& info) {
    info.summary("Lists the occupied voxels of an octree with positions and colors")
        .details(
            "Voxels are the nodes at \"level\", and nodes without children above it, whose "
            "occupancy is greater than \"threshold\". A voxel's position follows from its path "
            "to the root, so no pass for each level is needed. If there are more voxels than "
            "fit, a warning reports it (octree/lost-voxels), and the capacity grows over the "
            "frames of a run.")
        .source("Kotfis and Cozzi, \"Octree Mapping from a Depth Camera\", GPU Pro 7, 2016")
        .complexity("O(nodes)")
        .cost([](const ExtractVoxels& pass, const Graph&) {
            if (!pass.voxels) return Cost{};
            const double nodes = pass.octree.shape.nodes;
            return Cost{.bytes = 8.5 * nodes, .operations = 20.0 * nodes};
        });
    info.input("octree", &ExtractVoxels::octree, "the tree");
    info.parameter("level", &ExtractVoxels::level,
                   "level of the voxels; each step towards the root doubles their size; 0: the "
                   "leaves' level")
        .range(0, kMaxOctreeDepth);
    info.parameter("threshold", &ExtractVoxels::threshold,
                   "occupancy up to which voxels are left out; 127 is unknown")
        .range(0, 254);
    info.parameter("most_voxels", &ExtractVoxels::most_voxels,
                   "capacity, in voxels; 0: derived from the size of the pool")
        .range(0, kMaxOctreeNodes)
        .structural();
    info.parameter(
            "ordered", &ExtractVoxels::ordered,
            "sorts by Morton code, so that the same tree gives the same list; unsorted lists "
            "are faster")
        .structural();
    info.output("voxels", &ExtractVoxels::voxels,
                "the voxels, with the arguments of an "
                "indirect draw");
}

void ExtractVoxels::build(Graph& graph) {
    const OctreeShape& shape = octree.shape;
    const std::uint32_t nodes = kOctreeBlock * shape.blocks();
    const std::uint32_t guess = most_voxels > 0 ? most_voxels : std::max(nodes / 4, 1024u);
    const auto room =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(graph.pool("voxels", guess, 16), nodes));
    ComputeNodeBuilder node = graph.compute("octree/extract");
    specialize(node, shape);
    node.set("center", shape.center);
    node.set("half_edge", shape.half);
    node.set("level", shown_level(shape, level));
    node.set("threshold", threshold);
    node.set("blocks", shape.blocks());
    node.set("room", room);
    node.read("nodes", octree.nodes);
    node.read("blocks", octree.blocks);
    node.read("tree_counts", octree.status);
    voxels.shape = shape;
    voxels.places =
        node.write("places", graph.buffer("places", {.size = 16ull * room, .stride = 16}));
    voxels.colors = node.write("colors", array(graph, "colors", room));
    const Buffer found = node.write("found", graph.fill(array(graph, "found", 1), 0, "none_yet"));
    node.specialize("kOrders", std::uint32_t(ordered));
    const Buffer keys = node.write(
        "keys", array(graph, "keys", ordered ? std::uint64_t{shape.key_words()} * room : 1));
    node.dispatch_each(shape.blocks());
    if (ordered) sort_voxels(graph, voxels, keys, found, room);
    ComputeNodeBuilder count = graph.compute("octree/voxel_count");
    count.set("room", room);
    count.set("vertices", kOctreeCubeVertices);
    count.read("found", found);
    voxels.status = count.write(
        "counts", graph.buffer("counts", {.size = sizeof(OctreeVoxelStatus), .stride = 8}));
    voxels.draw = count.write("draw_arguments", array(graph, "draw", 4));
    count.dispatch(1);
    graph.status<OctreeVoxelStatus>(voxels.status);
}

TUFF_PASS(ExtractVoxels)

} // namespace tuff::passes
