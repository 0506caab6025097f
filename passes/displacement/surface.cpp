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

struct PreparedMap {
    Buffer texels;
    Buffer bounds;
};

/// Parts of a map along a side at its last depth, as a power of two: none is larger than a square
/// between texels.
std::uint32_t part_bits(std::uint32_t texels) {
    return static_cast<std::uint32_t>(std::bit_width(std::max(texels, 2u) - 2));
}

/// Parts of a map at each depth: shaders/displacement/patch.glsl.
std::vector<Extent> parts_of(Extent map) {
    const std::uint32_t x = part_bits(map.width);
    const std::uint32_t y = part_bits(map.height);
    std::vector<Extent> depths;
    for (std::uint32_t depth = 0; depth <= std::max(x, y); ++depth)
        depths.push_back({1u << std::min(depth, x), 1u << std::min(depth, y), 1});
    return depths;
}

void set_map_size(ComputeNodeBuilder& node, Extent size, AddressMode wrap) {
    node.specialize("map_width", size.width);
    node.specialize("map_height", size.height);
    node.specialize("map_wrap", static_cast<std::uint32_t>(wrap));
}

std::uint64_t map_bytes(Extent size) {
    return std::uint64_t{size.width} * size.height * sizeof(glm::vec4);
}

/// What rays read of the map: shaders/displacement/patch.glsl.
PreparedMap prepare_map(Graph& graph, const DisplaceSurface& pass) {
    const Extent size = graph.extent(pass.map);
    const std::vector<Extent> depths = parts_of(size);
    std::uint64_t parts = 0;
    for (const Extent& depth : depths)
        parts += std::uint64_t{depth.width} * depth.height;
    PreparedMap made;
    made.bounds = graph.buffer("bounds", {.size = parts * sizeof(glm::uvec4), .stride = 16});
    for (auto depth = static_cast<std::uint32_t>(depths.size()); depth-- > 0;) {
        const bool first = depth + 1 == depths.size();
        ComputeNodeBuilder node =
            graph.compute("displacement/map_bounds", {{"FIRST", first ? 1 : 0}},
                          fmt::format("map_bounds_{}", depth));
        if (first) {
            node.read("source", pass.map, Sampler::nearest());
            node.specialize("along_normal", std::uint32_t(pass.kind == DisplacementKind::scalar));
            Buffer status =
                graph.fill(graph.buffer("map_status", {.size = 4, .stride = 4}), 0, "no_texels");
            status = node.write("status", status);
            graph.status<MapStatus>(status);
            made.texels = node.write(
                "stored_texels", graph.buffer("texels", {.size = map_bytes(size), .stride = 16}));
        }
        set_map_size(node, size, pass.wrap);
        node.set("size", glm::uvec2(depths[depth].width, depths[depth].height));
        node.set("depth", depth);
        made.bounds = node.write("bounds", made.bounds);
        node.dispatch_over(depths[depth]);
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
    return {warning(
        "displacement/not-finite",
        fmt::format("{} texels of the map are not finite; they displace nothing", not_finite),
        "fix the map")};
}

void DisplacedSurface::bind(ComputeNodeBuilder& node) const {
    node.read("patches", patches);
    node.read("texels", texels);
    set_map_size(node, map_size, wrap);
    node.specialize("along_normal", std::uint32_t(kind == DisplacementKind::scalar));
}

void DisplacedSurface::bind_places(ComputeNodeBuilder& node) const {
    node.read_optional("bvh_instances", placed.instances, "has_instances");
    node.set("patch_count", count);
}

void DisplaceSurface::describe(PassInfo<DisplaceSurface>& info) {
    info.summary("Prepares quads with a displacement map for ray casts")
        .details(
            "A patch is a quad with bilinear interpolation between its corners. Each point is "
            "displaced by the map's value at its texture coordinates, linear between texels; 0 "
            "is the first texel and 1 the last. The displacement is a vector in any direction, "
            "so surfaces may overhang, or a height along the normal.\n\n"
            "Coordinates outside of 0 to 1 are clamped, or with \"wrap\" the map repeats there, "
            "straight or mirrored. So that it has no steps, the first row and column of a map "
            "that repeats replace its last ones.\n\n"
            "The patch is divided into 2^level cells a side, which exist only while rays are "
            "traced. What is stored is a box for each patch, minimum and maximum displacements "
            "for all parts of the map, and a hierarchy over the boxes. Patches that share "
            "corners, normals and texture coordinates meet without cracks at all levels, "
            "because the level of an edge depends only on the edge.\n\n"
            "With \"instances\", all patches are repeated at several places, each of which "
            "takes only a matrix and a node. Pixels are measured in the space of the patches, "
            "so matrices should not scale. If \"trees\" allows, the quad trees of all patches "
            "are kept for all casts, and from frame to frame while patches and map do not "
            "change.\n\n"
            "Texels that are not finite displace nothing. Patches with a corner that is not "
            "finite, or without extent, are left out.")
        .source("T. Harada, \"Ray Tracing Vector Displacement Patches\", in GPU Pro; T. Thonat et "
                "al., \"Tessellation-Free Displacement Mapping for Ray Tracing\", SIGGRAPH Asia "
                "2021")
        .complexity("O(texels + patches * 4^level)")
        .cost([](const DisplaceSurface& pass, const Graph& graph) {
            const Extent size = graph.extent(pass.map);
            const double patches = static_cast<double>(graph.desc(pass.patches).size) / 128.0;
            const double points = patches * static_cast<double>(1u << 2 * pass.level);
            const double texels = static_cast<double>(size.width) * size.height;
            return Cost{.bytes = 70.0 * texels + 240.0 * patches, .operations = 80.0 * points};
        });
    info.input("patches", &DisplaceSurface::patches,
               "the quads, for example from "
               "displacement/patches")
        .elements<PatchRecord>();
    info.input("map", &DisplaceSurface::map, "displacements").picture();
    info.optional_input("instances", &DisplaceSurface::instances,
                        "placements of all patches, as in bvh/instances; use mesh 0")
        .elements<MeshInstance>();
    info.parameter("scale", &DisplaceSurface::scale, "factor of the displacements")
        .range(-1e6, 1e6);
    info.parameter("level", &DisplaceSurface::level,
                   "the finest level: a side has 2^level "
                   "cells")
        .range(0, kFinest)
        .structural();
    info.parameter("kind", &DisplaceSurface::kind, "meaning of the map's texels").structural();
    info.parameter("wrap", &DisplaceSurface::wrap,
                   "what the map is for coordinates outside of 0 to 1")
        .structural();
    info.parameter("bounds", &DisplaceSurface::bounds, "how a patch's box is computed")
        .structural();
    info.parameter("trees", &DisplaceSurface::trees,
                   "memory limit up to which all quad trees are kept; 0: they are built when "
                   "rays need them")
        .range(0, 1 << 20)
        .unit("MiB")
        .structural();
    info.parameter("bits", &DisplaceSurface::bits, "bits of each side of a box in kept trees")
        .structural();
    info.output("surface", &DisplaceSurface::surface, "the surface, for displacement/cast");
}

void DisplaceSurface::build(Graph& graph) {
    const std::uint64_t patch_count = graph.desc(patches).size / sizeof(PatchRecord);
    if (patch_count == 0 || patch_count > kMaxPatches) {
        graph.error(
            "displacement/patch-count",
            fmt::format("there are {} patches; there must be 1 to {}", patch_count, kMaxPatches),
            "give 128 bytes for each patch: see displacement/patches");
        return;
    }
    const auto count = static_cast<std::uint32_t>(patch_count);
    const std::uint64_t places = instances ? graph.desc(instances).size / sizeof(MeshInstance) : 0;
    if (instances && (places == 0 || places * count > kMaxPlaced)) {
        graph.error("displacement/instance-count",
                    fmt::format("there are {} instances of {} patches; there must be 1 to {} "
                                "patches in all",
                                places, count, kMaxPlaced),
                    "give 64 bytes for each instance: see bvh/instances");
        return;
    }
    // All depths have fewer parts than twice the last one's.
    const Extent map_size = graph.extent(map);
    const std::uint64_t bounds_bytes = std::uint64_t{2} * map_bytes(parts_of(map_size).back());
    const std::uint64_t most_bytes = graph.target().max_storage_buffer_bytes;
    if (std::max(map_bytes(map_size), bounds_bytes) > most_bytes) {
        graph.error("displacement/large-map",
                    fmt::format("a map of {} x {} texels needs buffers of {} MiB, but the device "
                                "has at most {} MiB",
                                map_size.width, map_size.height, bounds_bytes >> 20,
                                most_bytes >> 20),
                    "use a smaller map");
        return;
    }
    const PreparedMap prepared = prepare_map(graph, *this);
    surface = {.patches = patches,
               .texels = prepared.texels,
               .bounds = prepared.bounds,
               .map_size = map_size,
               .boxes = {},
               .bvh = {},
               .placed = {},
               .trees = {},
               .count = count,
               .instances = static_cast<std::uint32_t>(places),
               .level = level,
               .scale = scale,
               .kind = kind,
               .bits = bits,
               .wrap = wrap};
    ComputeNodeBuilder node = graph.compute("displacement/boxes");
    surface.bind(node);
    node.specialize("loose", std::uint32_t(bounds == PatchBounds::loose));
    node.read("bounds", surface.bounds);
    node.set("count", count);
    node.set("level", level);
    node.set("scale", scale);
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
