#include "passes/bvh/morton.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/primitives/radix_sort.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

// Each group ends in a dozen atomics on the same words: no more of them than keep a device busy.
constexpr std::uint32_t kMaxReducingGroups = 1024;

// Indices, and the vertices of a mesh with two triangles a vertex, each read once.
constexpr double kMeshBytes = 12.0 + 6.0;

} // namespace

void MortonCodes::describe(PassInfo<MortonCodes>& info) {
    info.summary("Computes the Morton codes of the triangles of a mesh")
        .details("The centroid of a triangle's box lies in a cell of a grid over the box of all "
                 "centroids; the cell's coordinates, interleaved from the highest bit down, are "
                 "the code: 10 or 20 bits of each. With \"extents\" each bit halves the current "
                 "longest side of the cell, so thin scenes spend no bits on their thickness.\n\n"
                 "Triangles that rays cannot hit (without area in floating point, with a "
                 "coordinate that is not finite, or with an index out of range) are counted in "
                 "\"status\" and get codes greater than all others.")
        .source("A. Garcia, S. Murguia, U. Olivares and F. F. Ramos, \"Fast Parallel Construction "
                "of Stack-Less Complete LBVH Trees with Efficient Bit-Trail Traversal for Ray "
                "Tracing\", 2014")
        .complexity("O(n)")
        .cost([](const MortonCodes& pass, const Graph&) {
            const double words = pass.bits == CodeBits::bits30 ? 1.0 : 2.0;
            return Cost{.bytes = (2.0 * kMeshBytes + 4.0 * words) * pass.mesh.triangle_count,
                        .operations = 100.0 * pass.mesh.triangle_count};
        });
    info.input("mesh", &MortonCodes::mesh, "the triangles");
    info.parameter("bits", &MortonCodes::bits,
                   "bits of a code; 60 take two words, the low word first")
        .structural();
    info.parameter("interleave", &MortonCodes::interleave, "the coordinate that each bit halves")
        .structural();
    info.output("codes", &MortonCodes::codes, "a code for each triangle")
        .elements_from("u32, or uvec2 for 60 bits", [](const MortonCodes& pass) {
            return pass.bits == CodeBits::bits30 ? BufferElements::of<std::uint32_t>()
                                                 : BufferElements::of<glm::uvec2>();
        });
    info.output("box", &MortonCodes::box,
                "six words: the box of the centroids; floats as integers of the same order, those "
                "of the low corner complemented")
        .elements<std::uint32_t>();
    info.output("status", &MortonCodes::status, "the status block of the hierarchy to build")
        .elements<BvhStatus>();
}

void MortonCodes::build(Graph& graph) {
    if (!is_valid(graph, mesh)) return;
    ComputeNodeBuilder centroids = graph.compute("bvh/centroids");
    bind_mesh(centroids, mesh);
    box = centroids.write("box", graph.fill(array(graph, "box", 6), 0, "no_box"));
    status = centroids.write(
        "bvh_status", graph.fill(array(graph, "status", sizeof(BvhStatus) / sizeof(std::uint32_t)),
                                 0, "no_status"));
    const std::uint32_t groups = div_round_up(mesh.triangle_count, centroids.group_size()[0]);
    centroids.dispatch(std::clamp(groups, 1u, kMaxReducingGroups));

    const bool wide = bits == CodeBits::bits60;
    ComputeNodeBuilder morton = graph.compute("bvh/morton");
    bind_mesh(morton, mesh);
    morton.read("box", box);
    morton.specialize("wide", wide ? 1u : 0u);
    morton.specialize("by_extents", interleave == Interleave::extents ? 1u : 0u);
    codes = morton.write(
        "codes", array(graph, "codes", std::uint64_t{mesh.triangle_count} * (wide ? 2 : 1)));
    morton.dispatch_each(mesh.triangle_count);
}

SortedCodes sorted_codes(Graph& graph, const TriangleMesh& mesh, CodeBits bits,
                         Interleave interleave) {
    const MortonCodes made =
        graph.add(MortonCodes{.mesh = mesh, .bits = bits, .interleave = interleave}, "morton");
    const bool wide = bits == CodeBits::bits60;
    // The bit above the code is set for triangles that are left out.
    const RadixSort sorted = graph.add(RadixSort{.keys = made.codes,
                                                 .type = wide ? SortKey::u64 : SortKey::u32,
                                                 .length = mesh.triangle_count,
                                                 .end_bit = wide ? 61 : 31,
                                                 .with_permutation = true},
                                       "sort");
    return {.codes = sorted.sorted_keys,
            .order = sorted.permutation,
            .box = made.box,
            .status = made.status};
}

TUFF_PASS(MortonCodes)

} // namespace tuff::passes
