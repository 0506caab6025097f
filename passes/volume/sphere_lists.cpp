#include "passes/volume/sphere_lists.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/primitives/radix_sort.hpp"
#include "passes/primitives/scan.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

/// A tile of large ones is this many small ones wide. With few tiles or few spheres it does not
/// pay.
constexpr std::uint32_t kParentScale = 8;
constexpr std::uint32_t kManySpheres = 1024;

enum class Reports : std::uint32_t { no, yes };

/// Adds the lists of tiles of one size; candidates are what `parents` list, or all spheres.
TileLists add_level(Graph& graph, SortedSpheres& sorted, const VolumeView& view, std::uint32_t tile,
                    std::uint32_t room, const TileLists& parents, Reports reports) {
    const std::uint32_t across = div_round_up(view.width, tile);
    const std::uint32_t down = div_round_up(view.height, tile);
    const auto bind = [&](ComputeNodeBuilder& node) {
        view.set(node);
        node.read("balls", sorted.spheres.balls);
        node.read_optional("parent_counts", parents.counts, "has_parents");
        node.read_optional("parent_starts", parents.starts, "has_parents");
        node.read_optional("parent_spheres", parents.entries, "has_parents");
        node.set("spheres", sorted.spheres.count);
        node.set("tile", tile);
        node.set("tiles_per_row", across);
        node.set("parent_scale", std::max(parents.tile / tile, 1u));
        node.set("parents_per_row", parents.tiles_per_row);
        node.set("parent_entries", parents.room);
        node.set("entries", room);
    };
    TileLists lists{.tile = tile, .tiles_per_row = across, .room = room};

    ComputeNodeBuilder count = graph.compute("volume/tile_count");
    bind(count);
    count.read("dropped", sorted.status);
    lists.counts = count.write("counts", array(graph, "tile_counts", std::uint64_t{across} * down));
    count.dispatch(across, down);

    lists.starts = graph.add(Scan{.source = lists.counts}, "tile_starts").result;

    // The kernel counts in the status, so it takes a copy of the word that it reads.
    const Buffer dropped =
        graph.copy(BufferView(sorted.status, 0, 4), array(graph, "dropped", 1), "dropped");
    ComputeNodeBuilder fill = graph.compute("volume/tile_fill");
    bind(fill);
    fill.specialize("kReports", static_cast<std::uint32_t>(reports));
    fill.read("dropped", dropped);
    fill.read("counts", lists.counts);
    fill.read("starts", lists.starts);
    lists.entries = fill.write("lists", array(graph, "tile_spheres", room));
    sorted.status = fill.accumulate("status", sorted.status);
    fill.dispatch(across, down);
    return lists;
}

} // namespace

Buffer volume_status(Graph& graph) {
    return graph.fill(graph.buffer("status", {.size = sizeof(VolumeStatus), .stride = 4}), 0,
                      "no_counts");
}

SortedSpheres sort_spheres(Graph& graph, const MediaSpheres& spheres, const VolumeView& view,
                           Buffer status, SphereOrder order) {
    ComputeNodeBuilder key = graph.compute("volume/sphere_keys");
    key.specialize("kByMiddle", std::uint32_t(order == SphereOrder::middle));
    key.set("eye", view.camera.position);
    key.set("spheres", spheres.count);
    key.read("balls", spheres.balls);
    key.read("optics", spheres.optics);
    const Buffer unsorted = key.write("keys", array(graph, "keys", spheres.count));
    SortedSpheres sorted{.spheres = spheres, .nearest = {}, .status = {}};
    sorted.status = key.accumulate("status", status);
    key.dispatch_each(spheres.count);

    const RadixSort sort = graph.add(RadixSort{.keys = unsorted,
                                               .type = SortKey::f32,
                                               .length = spheres.count,
                                               .with_permutation = true},
                                     "sort_spheres");
    sorted.nearest = sort.sorted_keys;

    ComputeNodeBuilder gather = graph.compute("volume/sphere_gather");
    gather.set("spheres", spheres.count);
    gather.read("order", sort.permutation);
    gather.read("balls", spheres.balls);
    gather.read("optics", spheres.optics);
    const std::uint64_t room = std::max(spheres.count, 1u);
    sorted.spheres.balls = gather.write(
        "sorted_balls", graph.buffer("sorted_balls", {.size = 16 * room, .stride = 16}));
    sorted.spheres.optics = gather.write(
        "sorted_optics", graph.buffer("sorted_optics", {.size = 48 * room, .stride = 16}));
    gather.dispatch_each(spheres.count);
    return sorted;
}

TileLists list_spheres(Graph& graph, SortedSpheres& sorted, const VolumeView& view,
                       std::uint32_t tile, std::uint32_t room) {
    room = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(graph.pool("tile_entries", room, 4), ~0u));
    TileLists parents;
    if (sorted.spheres.count >= kManySpheres && std::max(view.width, view.height) > 2 * tile)
        parents = add_level(graph, sorted, view, tile * kParentScale, room, {}, Reports::no);
    return add_level(graph, sorted, view, tile, room, parents, Reports::yes);
}

void bind_lists(ComputeNodeBuilder& node, const SortedSpheres& sorted, const TileLists& lists) {
    node.read("balls", sorted.spheres.balls);
    node.read("optics", sorted.spheres.optics);
    node.read_optional("tile_counts", lists.counts, "has_tiles");
    node.read_optional("tile_starts", lists.starts, "has_tiles");
    node.read_optional("tile_spheres", lists.entries, "has_tiles");
    node.set("spheres", sorted.spheres.count);
    node.set("tile", std::max(lists.tile, 1u));
    node.set("tiles_per_row", lists.tiles_per_row);
    node.set("entries", lists.room);
}

} // namespace tuff::passes
