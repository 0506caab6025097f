#include "passes/voxel/surface.hpp"

#include "passes/primitives/elements.hpp"
#include "passes/voxel/raster.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

/// Triangles of a group of voxel/surface_rows. On GPUs fewer than it has invocations, so that there
/// are groups for all of a large one; software devices have few cores, and pay for each group.
std::uint32_t triangles_of_rows(const DeviceCaps& caps) {
    return caps.type == DeviceType::cpu ? 128 : 8;
}

/// What the kernels about triangles and those about parts of them have in common.
void set_up(ComputeNodeBuilder& node, const VoxelSurface& pass, const VoxelGrid& grid) {
    bind_mesh(node, pass.mesh, grid.frame);
    node.set("dims", grid.dims);
    node.specialize("kThin", std::uint32_t(pass.separation == SurfaceSeparation::thin));
}

VoxelGrid compute_surface(Graph& graph, const VoxelSurface& pass, VoxelGrid grid) {
    const bool rows = pass.method == SurfaceMethod::rows;
    ComputeNodeBuilder node =
        graph.compute(rows ? "voxel/surface_rows" : "voxel/surface_triangles", "triangles");
    set_up(node, pass, grid);
    node.set("triangles", pass.mesh.triangle_count);
    const std::uint32_t each = triangles_of_rows(graph.target());
    if (rows) {
        node.specialize("kTriangles", each);
    } else {
        node.specialize("kColumns", std::uint32_t(pass.method == SurfaceMethod::columns));
        node.specialize("kShortCuts", std::uint32_t(pass.short_cuts &&
                                                    pass.separation != SurfaceSeparation::thin));
    }
    grid.words = node.accumulate("words", grid.bits());
    grid.status = node.accumulate("status", grid.status);
    const LargeTriangles triangles = write_large(graph, node, pass.mesh, pass.parts);
    if (rows)
        dispatch_each(node, pass.mesh.triangle_count, each);
    else
        node.dispatch_each(pass.mesh.triangle_count);

    ComputeNodeBuilder large = graph.compute("voxel/surface_parts", "large");
    set_up(large, pass, grid);
    grid.words = large.accumulate("words", grid.bits());
    take_large(graph, large, triangles);
    return grid;
}

bool is_drawn(SurfaceMethod method) {
    return method >= SurfaceMethod::conservative;
}

bool can_be_drawn(Graph& graph, SurfaceMethod method) {
    const DeviceCaps& target = graph.target();
    const bool conservative = method == SurfaceMethod::conservative;
    if ((!conservative || target.conservative_raster) &&
        (method != SurfaceMethod::slice_map || target.logic_op))
        return true;
    graph.error(
        "voxel/no-such-method",
        conservative
            ? fmt::format("device \"{}\" has no conservative rasterization", target.name)
            : fmt::format("device \"{}\" has no logic operations for attachments", target.name),
        conservative ? "use \"dilated\" or \"rows\", which find the same voxels"
                     : "use \"raster\", which finds the same voxels");
    return false;
}

/// Along all axes, each triangle along one: into one version, for they run in any order.
VoxelGrid draw_whole_surface(Graph& graph, const VoxelSurface& pass, const VoxelGrid& grid) {
    VoxelGrid drawn = grid;
    const bool dilates = pass.method == SurfaceMethod::dilated;
    for (const std::uint32_t axis : {2u, 0u, 1u}) {
        const VoxelGrid one = draw_conservatively(
            graph, pass.mesh, grid, axis,
            {.dilates = dilates, .thin = pass.separation == SurfaceSeparation::thin});
        drawn.words = one.words;
        if (axis == 2) drawn.status = one.status;
    }
    return drawn;
}

VoxelGrid draw_surface(Graph& graph, const VoxelSurface& pass, const VoxelGrid& grid) {
    if (pass.method == SurfaceMethod::slice_map) return draw_slice_map(graph, pass.mesh, grid);
    if (pass.method == SurfaceMethod::conservative || pass.method == SurfaceMethod::dilated)
        return draw_whole_surface(graph, pass, grid);
    VoxelGrid drawn =
        draw_voxels(graph, "voxel/raster_surface", pass.mesh, grid, 2, CountsTriangles::yes);
    if (pass.method == SurfaceMethod::raster) return drawn;
    // All into one version: they run in any order.
    for (const std::uint32_t axis : {0u, 1u})
        drawn.words =
            draw_voxels(graph, "voxel/raster_surface", pass.mesh, grid, axis, CountsTriangles::no)
                .words;
    return drawn;
}

} // namespace

void VoxelSurface::describe(PassInfo<VoxelSurface>& info) {
    info.summary("Sets the voxels that the triangles of a mesh meet")
        .details(
            "The methods \"raster\", \"slice_map\" and \"raster_three\" are approximate. All "
            "others set every voxel that a triangle meets, by a separating axis test in integers "
            "(1/256 voxel): the result is the same to the bit for any method, order of triangles "
            "and device.\n\n\"rows\" sets up a few triangles in a group, then distributes their "
            "rows of voxels along z over its invocations; the voxels of a row are an interval, "
            "which is computed and set word by word. \"columns\" and \"box\" are the chapter's: an "
            "invocation takes a triangle and tests voxel by voxel. Triangles of more than 2048 "
            "rows are cut into parts for many groups. \"conservative\" draws each triangle along "
            "its dominant axis; a fragment for every column that it touches tests the column's "
            "voxels. \"dilated\" does the same by drawing larger triangles, on devices without "
            "conservative rasterization.\n\n\"raster\" draws the mesh along z and sets the voxel "
            "where the center of a column crosses a triangle: it loses thin and steep parts. "
            "\"slice_map\" sets the same voxels as bits of four attachments, 512 voxels of each "
            "column at a time, merged by a logic operation. \"raster_three\" draws along all axes, "
            "which leaves no holes in closed surfaces; it still loses parts thinner than a voxel. "
            "Drawn grids must fit one buffer of a kernel; others may be of any size.\n\nTriangles "
            "without area count as lines or points (the approximate methods, and perhaps "
            "\"conservative\", set nothing). Triangles are left out if a vertex is not finite or "
            "more than 10^9 voxels away (16384 with \"conservative\" and \"dilated\"), or an index "
            "is out of range. The grid's status counts them, and with \"count\" also the voxels "
            "set.")
        .source("Schwarz, \"Practical Binary Surface and Solid Voxelization with Direct3D 11\", "
                "GPU Pro 3, 2012; Schwarz and Seidel, \"Fast Parallel Surface and Solid "
                "Voxelization on GPUs\", SIGGRAPH Asia 2010")
        .complexity("O(words of the grid + triangles + rows of voxels that are met)")
        .cost([](const VoxelSurface& pass, const Graph&) {
            const double words = static_cast<double>(pass.grid.word_count());
            return Cost{.bytes = (pass.count ? 8.0 : 4.0) * words + 12.0 * pass.mesh.vertex_count +
                                 12.0 * pass.mesh.triangle_count,
                        .operations = 600.0 * pass.mesh.triangle_count};
        });
    describe_voxelizer(info);
    info.parameter("method", &VoxelSurface::method, "how voxels are found; see the description")
        .structural();
    info.parameter(
            "separation", &VoxelSurface::separation,
            "\"conservative\": all voxels that triangles meet; \"thin\": only voxels in which "
            "triangles meet the lines through the center, from face to face, which still separates "
            "both sides of a closed surface; the raster methods ignore it")
        .structural();
    info.parameter("short_cuts", &VoxelSurface::short_cuts,
                   "\"columns\" and \"box\": skips tests that cannot fail; the voxels are the same")
        .structural();
    info.parameter("count", &VoxelSurface::count, "counts the set voxels into the status")
        .structural();
}

void VoxelSurface::build(Graph& graph) {
    const bool drawn = is_drawn(method);
    if (!can_be_drawn(graph, method)) return;
    const std::optional<VoxelGrid> empty =
        begin_grid(graph, mesh, parameters, frame_of, drawn ? BySlabs::no : BySlabs::yes);
    if (!empty) return;
    grid =
        drawn
            ? draw_surface(graph, *this, *empty)
            : for_slabs(graph, *empty, parameters.slab_bytes,
                        {.bytes = empty->dims.x * empty->row_bytes()},
                        [&](const VoxelGrid& slab) { return compute_surface(graph, *this, slab); });
    if (count) grid = counted(graph, grid);
    graph.status<VoxelStatus>(grid.status);
}

TUFF_PASS(VoxelSurface)

} // namespace tuff::passes
