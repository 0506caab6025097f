#include "passes/displacement/surface.hpp"

#include "passes/bvh/instances.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/displacement/links.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <bit>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxPatches = 1u << 22; // boxes and triangles are addressed in bytes
constexpr std::uint32_t kMaxPlaced = 1u << 28;  // patches of all instances

struct MapBounds {
    Image low;
    Image high;
    int last_mip = 0;
};

/// As many texels as squares between four texels, rounded up to a power of two.
MapBounds bounds_of(Graph& graph, const DisplaceSurface& pass) {
    const Extent from = graph.extent(pass.map);
    const auto cells = [](std::uint32_t texels) { return std::bit_ceil(std::max(texels, 2u) - 1); };
    const Extent extent{cells(from.width), cells(from.height), 1};
    const std::uint32_t mips =
        static_cast<std::uint32_t>(std::bit_width(std::max(extent.width, extent.height)));
    const ImageDesc desc{.format = Format::rgba32_sfloat, .extent = extent, .mips = mips};
    MapBounds made{.low = graph.image("map_low", desc),
                   .high = graph.image("map_high", desc),
                   .last_mip = static_cast<int>(mips) - 1};
    for (std::uint32_t level = 0; level < mips; ++level) {
        ComputeNodeBuilder node =
            graph.compute("displacement/map_bounds", {{"FIRST", level == 0 ? 1 : 0}},
                          fmt::format("map_bounds_{}", level));
        if (level == 0) {
            node.read("source", pass.map, Sampler::nearest());
            node.specialize("along_normal", std::uint32_t(pass.kind == DisplacementKind::scalar));
            Buffer status =
                graph.fill(graph.buffer("map_status", {.size = 4, .stride = 4}), 0, "no_texels");
            status = node.write("status", status);
            graph.status<MapStatus>(status);
        } else {
            node.read("source_low", mip(made.low, level - 1), Sampler::nearest());
            node.read("source_high", mip(made.high, level - 1), Sampler::nearest());
        }
        const Extent size{std::max(extent.width >> level, 1u), std::max(extent.height >> level, 1u),
                          1};
        node.set("size", glm::uvec2(size.width, size.height));
        made.low = node.write("low", mip(made.low, level));
        made.high = node.write("high", mip(made.high, level));
        node.dispatch_over(size);
    }
    return made;
}

/// The trees of all patches, if they fit into so many MiB.
Buffer kept_trees(Graph& graph, const DisplacedSurface& surface, std::uint32_t most_mib) {
    const std::uint32_t words = tree_words(surface.level, surface.bits);
    const std::uint64_t bytes = std::uint64_t{4} * words * surface.count;
    if (bytes > std::uint64_t{most_mib} << 20 || bytes > graph.target().max_storage_buffer_bytes)
        return {};
    ComputeNodeBuilder node = graph.compute("displacement/trees");
    surface.bind(node);
    node.read("boxes", surface.boxes);
    node.specialize("bytes", std::uint32_t(surface.bits == NodeBits::bits8));
    node.set("count", surface.count);
    node.set("level", surface.level);
    node.set("scale", surface.scale);
    node.set("node_room", words);
    const Buffer trees = node.write(
        "scratch", graph.fill(graph.buffer("trees", {.size = bytes, .stride = 4}), 0, "no_trees"));
    fold_groups(surface.count).dispatch(node);
    return trees;
}

} // namespace

std::uint32_t tree_words(std::uint32_t level, NodeBits bits) {
    return (bits == NodeBits::bits8 ? 2 : 3) * quad_tree_nodes(level);
}

MapStatus MapStatus::read(std::span<const std::uint32_t> words) {
    return status_from<MapStatus>(words);
}

Diagnostics MapStatus::warnings() const {
    if (not_finite == 0) return {};
    return {
        warning("displacement/not-finite",
                fmt::format("{} texels of the map are not finite, and move nothing", not_finite),
                "mend the map")};
}

void DisplacedSurface::bind(ComputeNodeBuilder& node) const {
    node.read("patches", patches);
    node.read("map", map, Sampler::nearest());
    node.specialize("along_normal", std::uint32_t(kind == DisplacementKind::scalar));
}

void DisplacedSurface::bind_places(ComputeNodeBuilder& node) const {
    node.read_optional("bvh_instances", placed.instances, "has_instances");
    node.set("patch_count", count);
}

void DisplaceSurface::describe(PassInfo<DisplaceSurface>& info) {
    info.summary("Makes quads that a map displaces ready for rays")
        .details(
            "A patch is a quad, bilinear between its corners; each of its points is moved by the "
            "map's value at the point's texture coordinates, linear between texels, of which 0 is "
            "the first and 1 the last: by a vector "
            "in any direction, so that surfaces may hang over, or by a height along the normal. "
            "The patch is cut into 2^level cells a side, which exist only while rays are traced. "
            "What is kept of a patch is a box; of the map, least and greatest displacements of all "
            "its parts; and a hierarchy over the boxes.\n\n"
            "Patches that share corners, normals and texture coordinates meet without cracks on "
            "all levels, for the level of an edge follows from the edge alone. With \"instances\" "
            "all patches are in as many places, of which no more is kept than a matrix and a node; "
            "pixels are measured in the space of the patches, so that matrices should not stretch. "
            "Where \"trees\" leaves room for them, the quad trees of all patches are kept for all "
            "casts, also from frame to frame where patches and map stay. Texels that are not "
            "finite move nothing. A patch with a corner that is "
            "not finite, or without extent, is left out.")
        .source("T. Harada, \"Ray Tracing Vector Displacement Patches\", in GPU Pro; T. Thonat et "
                "al., \"Tessellation-Free Displacement Mapping for Ray Tracing\", SIGGRAPH Asia "
                "2021")
        .complexity("O(texels + patches 4^level)")
        .cost([](const DisplaceSurface& pass, const Graph& graph) {
            const Extent size = graph.extent(pass.map);
            const double patches = static_cast<double>(graph.desc(pass.patches).size) / 128.0;
            const double points = patches * static_cast<double>(1u << 2 * pass.level);
            const double texels = static_cast<double>(size.width) * size.height;
            return Cost{.bytes = 80.0 * texels + 240.0 * patches, .operations = 80.0 * points};
        });
    info.input("patches", &DisplaceSurface::patches, "displacement/patches makes some")
        .elements<PatchRecord>();
    info.input("map", &DisplaceSurface::map, "displacements").picture();
    info.optional_input("instances", &DisplaceSurface::instances,
                        "where all patches are, as of bvh/instances; their mesh's number is 0")
        .elements<MeshInstance>();
    info.parameter("scale", &DisplaceSurface::scale, "what displacements are multiplied by")
        .range(-1e6, 1e6);
    info.parameter("level", &DisplaceSurface::level, "the finest: cells a side are 2 to its power")
        .range(0, kFinest)
        .structural();
    info.parameter("kind", &DisplaceSurface::kind, "what the map's texels say").structural();
    info.parameter("bounds", &DisplaceSurface::bounds, "how a patch's box is found").structural();
    info.parameter("trees", &DisplaceSurface::trees,
                   "keeps all quad trees if they take no more; 0: they are built when rays come")
        .range(0, 1 << 20)
        .unit("MiB")
        .structural();
    info.parameter("bits", &DisplaceSurface::bits, "of each side of a box in kept trees")
        .structural();
    info.output("surface", &DisplaceSurface::surface, "for displacement/cast");
}

void DisplaceSurface::build(Graph& graph) {
    const std::uint64_t patch_count = graph.desc(patches).size / sizeof(PatchRecord);
    if (patch_count == 0 || patch_count > kMaxPatches) {
        graph.error("displacement/patch-count",
                    fmt::format("{} patches: there must be 1 to {}", patch_count, kMaxPatches),
                    "a patch is 128 bytes: see displacement/patches");
        return;
    }
    const auto count = static_cast<std::uint32_t>(patch_count);
    const std::uint64_t places = instances ? graph.desc(instances).size / sizeof(MeshInstance) : 0;
    if (instances && (places == 0 || places * count > kMaxPlaced)) {
        graph.error("displacement/instance-count",
                    fmt::format("{} instances of {} patches: there must be 1 to {} patches in all",
                                places, count, kMaxPlaced),
                    "an instance is 64 bytes: see bvh/instances");
        return;
    }
    const MapBounds of_map = bounds_of(graph, *this);
    surface = {.patches = patches,
               .map = map,
               .map_low = of_map.low,
               .map_high = of_map.high,
               .boxes = {},
               .bvh = {},
               .placed = {},
               .trees = {},
               .count = count,
               .instances = static_cast<std::uint32_t>(places),
               .level = level,
               .scale = scale,
               .kind = kind,
               .bits = bits};
    ComputeNodeBuilder node = graph.compute("displacement/boxes");
    surface.bind(node);
    node.specialize("loose", std::uint32_t(bounds == PatchBounds::loose));
    node.read("map_low", of_map.low, Sampler::nearest());
    node.read("map_high", of_map.high, Sampler::nearest());
    node.set("count", count);
    node.set("level", level);
    node.set("scale", scale);
    node.set("last_mip", of_map.last_mip);
    surface.boxes =
        node.write("boxes", graph.buffer("boxes", {.size = 32ull * count, .stride = 16}));
    const TriangleMesh mesh{
        .positions = node.write("positions",
                                graph.buffer("positions", {.size = 36ull * count, .stride = 4})),
        .indices =
            node.write("indices", graph.buffer("indices", {.size = 12ull * count, .stride = 4})),
        .draws = {},
        .vertex_count = 3 * count,
        .triangle_count = count};
    fold_groups(count).dispatch(node);
    surface.bvh = graph.add(LbvhBuild{.mesh = mesh}).bvh;
    if (instances)
        surface.placed =
            graph.add(InstanceBvh{.meshes = {surface.bvh}, .instances = instances}).bvh;
    if (trees > 0) surface.trees = kept_trees(graph, surface, trees);
}

TUFF_PASS(DisplaceSurface)

} // namespace tuff::passes
