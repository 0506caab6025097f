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
                    fmt::format("{} hits gave up waiting for a lock and may be missing", gave_up),
                    "choose another value of \"atomics\" for this device")};
}

bool is_valid(Graph& graph, const GridCastParameters& parameters) {
    if (parameters.atomics == HitAtomics::lock && parameters.links == LinkPlaces::lists) {
        graph.error(
            "raygrid/lists-with-locks",
            "\"atomics\" \"lock\" cannot be used with \"links\" \"lists\": neighbouring "
            "invocations walk the same list and take the same locks, which deadlocks on some "
            "devices",
            "set \"atomics\" to \"auto\", which needs no lock; or set \"links\" to \"append\", "
            "\"counted\" or \"cells\"");
        return false;
    }
    if (parameters.atomics != HitAtomics::wide || graph.target().int64_buffer_atomics) return true;
    graph.error("raygrid/no-wide-atomics", "the device has no 64-bit atomics",
                "set \"atomics\" to \"auto\", which uses what the device has");
    return false;
}

void CastThroughGrid::describe(PassInfo<CastThroughGrid>& info) {
    info.summary("Finds the hits of rays by testing the cells of a grid, with all their rays "
                 "and triangles")
        .details(
            "Rays march through the grid and are put into the occupied cells on their way, a "
            "few cells at a time, as links between a cell and a ray. Links are sorted by cell, "
            "and all rays of a cell are tested against all its triangles. A ray continues "
            "until it has left the grid, or until its hit is nearer than all cells it has not "
            "been put into: a triangle in a near cell may be hit far behind it. Rays that are "
            "left after the last round walk through the rest of the grid on their own. So no "
            "hits are lost for any number of rounds, and no round has more links than fit.\n\n"
            "Rays and hits have the format of bvh/cast. Hits are the same to the bit: of equal "
            "t, the triangle of the lowest index wins. There are two exceptions: \"lock\" may "
            "take any triangle of equal t, and with \"packed\" copies rays may slip through "
            "near edges. With given bounds, hits outside of the grid may be missed.\n\n"
            "For comparison, \"lbvh\" builds a hierarchy, and \"brute_force\" tests all "
            "triangles.")
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
    info.input("grid", &CastThroughGrid::grid, "the grid, from raygrid/voxelize");
    info.input("rays", &CastThroughGrid::rays, "eight words a ray").elements<RayRecord>();
    info.parameter("question", &CastThroughGrid::question,
                   "\"closest\" hit, or \"any\": whether there is a hit")
        .structural();
    info.group("cast", &CastThroughGrid::parameters);
    info.parameter("test", &CastThroughGrid::test, "the test of a ray against a triangle")
        .structural();
    info.parameter("with_work", &CastThroughGrid::with_work, "whether to output \"work\"")
        .structural();
    info.output("hits", &CastThroughGrid::hits, "four words a ray; with \"any\" one word")
        .elements_from("Hit (f32 t, u32 triangle, vec2 barycentric); of \"any\" u32",
                       [](const CastThroughGrid& pass) {
                           return pass.question == RayQuestion::any
                                      ? BufferElements::of<std::uint32_t>()
                                      : BufferElements::of<HitRecord>();
                       });
    info.output("work", &CastThroughGrid::work,
                "four words a ray: cells, tests, rounds, and 1 if it walked; with hierarchies "
                "and brute force two words, boxes and triangles; only with \"with_work\"")
        .elements<std::uint32_t>();
    info.output("status", &CastThroughGrid::status,
                "counts; not with \"lbvh\" and "
                "\"brute_force\"")
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
        graph.error("primitives/too-short", "\"rays\" has no ray", "give eight words a ray");
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
