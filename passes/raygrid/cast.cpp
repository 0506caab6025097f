#include "passes/raygrid/cast.hpp"

#include "passes/bvh/lbvh_build.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

namespace tuff::passes {

GridCastStatus GridCastStatus::read(std::span<const std::uint32_t> words) {
    return status_from<GridCastStatus>(words);
}

Diagnostics GridCastStatus::warnings() const {
    if (gave_up == 0) return {};
    return {warning("raygrid/lock-gave-up",
                    fmt::format("{} hits waited too long for a lock, and may be missing", gave_up),
                    "take other \"atomics\" on this device")};
}

bool is_valid(Graph& graph, const GridCastParameters& parameters) {
    if (parameters.atomics == HitAtomics::lock && parameters.links == LinkPlaces::lists) {
        graph.error(
            "raygrid/lists-with-locks",
            "\"links\" are \"lists\" and \"atomics\" \"lock\": invocations beside each other go "
            "through one list, for the same locks, and some devices stop them then",
            "take \"auto\" for \"atomics\", which need no lock; or keep \"lock\" with \"append\", "
            "\"counted\" or \"cells\" for \"links\"");
        return false;
    }
    if (parameters.atomics != HitAtomics::wide || graph.target().int64_buffer_atomics) return true;
    graph.error("raygrid/no-wide-atomics", "the device has no atomics of 64 bits",
                "\"auto\" takes those that there are");
    return false;
}

void CastThroughGrid::describe(PassInfo<CastThroughGrid>& info) {
    info.summary("Finds what rays hit, in the order of a grid's cells and their triangles")
        .details(
            "Rays march through the grid and are put into the occupied cells that they come "
            "through, a few at a time: links of a cell and a ray. Links are sorted by cell, and "
            "all rays of a cell are tested against all its triangles. A ray goes on until it has "
            "left the grid or its hit is nearer than any cell that it has not been put into: a "
            "triangle that is met in a near cell may be hit far behind it. Rays that are left "
            "after the last round walk through the rest of the grid alone, so nothing is lost "
            "whatever the number of rounds, and no round has more links than there is room for.\n"
            "Rays and hits are those of bvh/cast, and so are the hits, to the bit: of equal t the "
            "least triangle counts. But for \"lock\", which of equal ones takes any, and "
            "\"packed\" "
            "copies, with which rays may slip through near edges. With given bounds, what lies "
            "outside of the grid may be missed. \"lbvh\" builds a hierarchy and \"brute_force\" "
            "tries all triangles: for comparison.")
        .source("T. Zirr, H. Rehfeld and C. Dachsbacher, \"Object-Order Ray Tracing for Fully "
                "Dynamic Scenes\", GPU Pro 5, 2014")
        .complexity("O(rays * cells on their way + tests)")
        .cost([](const CastThroughGrid& pass, const Graph& graph) {
            const double count =
                static_cast<double>(capacity(graph, pass.rays) / CastRays::kRayWords);
            const double links = count * pass.parameters.links_per_ray;
            // A ray is read three times and its place and hit written; a link is written, moved
            // three times by the sort, and read with its ray.
            return Cost{.bytes = 160.0 * count + 110.0 * links, .operations = 1000.0 * links};
        });
    info.input("grid", &CastThroughGrid::grid, "what is hit, of raygrid/voxelize");
    info.input("rays", &CastThroughGrid::rays, "eight words a ray").elements<RayRecord>();
    info.parameter("question", &CastThroughGrid::question,
                   "the closest hit, or whether there is any")
        .structural();
    info.group("cast", &CastThroughGrid::parameters);
    info.parameter("test", &CastThroughGrid::test, "of a ray against a triangle").structural();
    info.parameter("with_work", &CastThroughGrid::with_work, "asks for \"work\"").structural();
    info.output("hits", &CastThroughGrid::hits, "four words a ray, or one")
        .elements_from("Hit (f32 t, u32 triangle, vec2 barycentric); of \"any\" u32",
                       [](const CastThroughGrid& pass) {
                           return pass.question == RayQuestion::any
                                      ? BufferElements::of<std::uint32_t>()
                                      : BufferElements::of<HitRecord>();
                       });
    info.output("work", &CastThroughGrid::work,
                "four words a ray: cells, tests, rounds, and 1 where it walked; of hierarchies and "
                "brute force boxes and triangles, two words; only \"with_work\"")
        .elements<std::uint32_t>();
    info.output("status", &CastThroughGrid::status, "what was counted; not of other searches")
        .elements<GridCastStatus>();
}

void CastThroughGrid::build(Graph& graph) {
    if (!is_valid(graph, parameters)) return;
    if (parameters.search == RaySearch::lbvh || parameters.search == RaySearch::brute_force) {
        const bool built = parameters.search == RaySearch::lbvh;
        const Bvh bvh =
            built ? graph.add(LbvhBuild{.mesh = grid.mesh}).bvh : without_hierarchy(grid.mesh);
        const CastRays cast = graph.add(CastRays{
            .bvh = bvh, .rays = rays, .question = question, .test = test, .with_work = with_work});
        hits = cast.hits;
        work = cast.work;
        return;
    }
    const auto count = static_cast<std::uint32_t>(capacity(graph, rays) / CastRays::kRayWords);
    if (count == 0) {
        graph.error("primitives/too-short", "\"rays\" holds no ray", "a ray is eight words");
        return;
    }
    const GridHits found =
        cast_through_grid(graph, grid, {.rays = rays, .slots = count, .queue = {}, .count = {}},
                          parameters, {.question = question, .test = test, .with_work = with_work});
    hits = found.hits;
    work = found.work;
    status = found.status;
}

TUFF_PASS(CastThroughGrid)

} // namespace tuff::passes
