#pragma once

#include "passes/geometry/triangle_mesh.hpp"
#include "passes/sparse/store.hpp"
#include "passes/volume/sampled_volume.hpp"
#include "passes/voxel/voxel_grid.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// What passes share that extract surfaces from fields.
namespace tuff::passes {

/// Largest number of texels along a side of a field.
inline constexpr std::uint32_t kMaxIsosurfaceSide = 2046;

/// Which side of the iso value is inside.
enum class SurfaceInside : std::uint8_t {
    above, ///< above, for densities
    below, ///< below, for distances that are negative inside
};

/// What an extraction reports; `SurfaceStatus` of shaders/isosurface/status.glsl.
struct IsosurfaceStatus {
    std::uint32_t vertices = 0;   ///< including those that did not fit
    std::uint32_t triangles = 0;  ///< including those that did not fit
    std::uint32_t blocks = 0;     ///< blocks of points that the surface crosses, including those
                                  ///< that did not fit
    std::uint32_t cells = 0;      ///< crossed cells, if the method works cell by cell
    std::uint32_t not_finite = 0; ///< texels that are infinite or NaN: cells at them have no
                                  ///< surface
    std::uint32_t vertex_room = 0;
    std::uint32_t triangle_room = 0;
    std::uint32_t block_room = 0;
    std::uint32_t cell_room = 0;

    static constexpr std::string_view kStructName = "IsosurfaceStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(IsosurfaceStatus, vertices),
                          TUFF_MEMBER(IsosurfaceStatus, triangles),
                          TUFF_MEMBER(IsosurfaceStatus, blocks),
                          TUFF_MEMBER(IsosurfaceStatus, cells),
                          TUFF_MEMBER(IsosurfaceStatus, not_finite),
                          TUFF_MEMBER(IsosurfaceStatus, vertex_room),
                          TUFF_MEMBER(IsosurfaceStatus, triangle_room),
                          TUFF_MEMBER(IsosurfaceStatus, block_room),
                          TUFF_MEMBER(IsosurfaceStatus, cell_room)};
    }
    static IsosurfaceStatus read(std::span<const std::uint32_t> words);
    /// isosurface/lost-triangles, isosurface/not-finite
    Diagnostics warnings() const;
    std::vector<PoolNeed> pool_needs() const; ///< "vertices", "triangles", "blocks" and "cells"
};
static_assert(sizeof(IsosurfaceStatus) == 36);

/// The field and the requested surface: parameters that passes share.
struct IsosurfaceRequest {
    Image field;
    Buffer values;
    VoxelGrid voxels;
    SparseBricks bricks; ///< one of the channels of `values`
    Image valid;
    glm::uvec3 dims{0};
    std::uint32_t channels = 1;
    VolumeNumber number = VolumeNumber::red;
    float iso = 0.5f;
    SurfaceInside inside = SurfaceInside::above;
    bool closed = false;
    glm::vec3 spacing{1.0f};
    glm::vec3 origin{0.0f};
    int most_triangles = 0;
};

/// The outputs of an extraction.
struct IsosurfaceResult {
    TriangleMesh mesh;
    Buffer normals;
    Buffer draw;
    Buffer status;
};

/// How a cell is cut.
struct IsosurfaceCut {
    bool dual = false;    ///< vertices inside cells (dual contouring)
    bool decider = false; ///< saddles decide ambiguous faces
    bool streams = false; ///< cell by cell, without shared vertices
};

/// Returns an empty result, with errors reported, if the request is not valid.
IsosurfaceResult find_isosurface(Graph& graph, const IsosurfaceRequest& request,
                                 const IsosurfaceCut& cut);

/// Bytes of the field; 0 if there is none.
double field_bytes(const Graph& graph, const IsosurfaceRequest& request);

/// The request of a pass with these fields.
template <typename Pass>
IsosurfaceRequest isosurface_request(const Pass& pass) {
    return {.field = pass.field,
            .values = pass.values,
            .voxels = pass.voxels,
            .bricks = pass.bricks,
            .valid = pass.valid,
            .dims = pass.dims,
            .channels = pass.channels,
            .number = pass.number,
            .iso = pass.iso,
            .inside = pass.inside,
            .closed = pass.closed,
            .spacing = pass.spacing,
            .origin = pass.origin,
            .most_triangles = pass.most_triangles};
}

/// Builds such a pass. If the request is not valid, outputs stay empty and errors are reported.
template <typename Pass>
void build_isosurface(Graph& graph, Pass& pass, const IsosurfaceCut& cut) {
    const IsosurfaceResult found = find_isosurface(graph, isosurface_request(pass), cut);
    pass.mesh = found.mesh;
    pass.normals = found.normals;
    pass.draw = found.draw;
    pass.status = found.status;
}

/// Declares the ports and parameters that passes share.
template <typename Pass>
void describe_isosurface(PassInfo<Pass>& info) {
    info.optional_input("field", &Pass::field,
                        "a volume; exactly one of \"field\", \"values\" and \"voxels\" must be "
                        "connected");
    info.optional_input("values", &Pass::values,
                        "an array of \"dims\" elements of \"channels\" numbers, x fastest; for "
                        "example the cells of a fluid or its dye")
        .template elements<float>();
    info.optional_input("voxels", &Pass::voxels,
                        "a field that is 1 in set voxels and 0 elsewhere; it has its own "
                        "position and size");
    info.optional_input("bricks", &Pass::bricks,
                        "the bricks of a sparse store: \"values\" are then the cells of their "
                        "slots; there is no surface without a brick, or at cells that are "
                        "infinite or NaN");
    info.optional_input("valid", &Pass::valid,
                        "a volume of integers, one texel for each cell between eight texels of "
                        "the field; 0: the cell has no surface");
    info.parameter("dims", &Pass::dims, "\"values\" without bricks: texels along x, y and z")
        .range(0, kMaxIsosurfaceSide)
        .unit("texels")
        .structural();
    info.parameter("channels", &Pass::channels, "numbers of each element of \"values\"")
        .range(1, 4)
        .structural();
    info.parameter("number", &Pass::number,
                   "the number to use of each texel or element: a channel, or the length of "
                   "the vector")
        .structural();
    info.parameter("iso", &Pass::iso, "iso value: the surface is where the field has this value")
        .range(-1e30, 1e30);
    info.parameter("inside", &Pass::inside, "which side of the iso value is inside");
    info.parameter("closed", &Pass::closed,
                   "the field counts as outside from half a step beyond its last texels; "
                   "false: surfaces end at the border")
        .structural();
    info.parameter("spacing", &Pass::spacing,
                   "distance between texels along x, y and z; ignored with voxels")
        .range(0.0, 1e9, RangeEnds::open_low)
        .unit("world units");
    info.parameter("origin", &Pass::origin,
                   "position of the first texel's center; ignored "
                   "with voxels")
        .unit("world units");
    info.parameter("most_triangles", &Pass::most_triangles,
                   "capacity, in triangles, and half as many vertices; 0: derived from the "
                   "size of the field. If there are more, a warning reports their number, and "
                   "the capacity grows over the frames of a run")
        .range(0, static_cast<double>(kMaxMeshTriangles))
        .structural();
    info.output("mesh", &Pass::mesh,
                "triangles, counter-clockwise as seen from outside. Triangles behind the last "
                "one, up to the capacity, are degenerate to a point; all passes that take "
                "meshes skip them");
    info.output("normals", &Pass::normals,
                "three floats a vertex: unit vectors that point "
                "outwards")
        .template elements<glm::vec3>();
    info.output("draw", &Pass::draw, "the arguments of an indexed indirect draw of the mesh")
        .template elements<std::uint32_t>();
    info.output("status", &Pass::status, "number of vertices and of triangles")
        .template elements<IsosurfaceStatus>();
}

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SurfaceInside> {
    static constexpr std::array<std::string_view, 2> names{"above", "below"};
};
