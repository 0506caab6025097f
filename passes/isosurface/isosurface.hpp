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

/// What the passes share that make surfaces of fields.
namespace tuff::passes {

/// Texels along a side of a field.
inline constexpr std::uint32_t kMaxIsosurfaceSide = 2046;

/// On which side of the iso value the inside is.
enum class SurfaceInside : std::uint8_t {
    above, ///< of densities
    below, ///< of distances that are negative within
};

/// What a search found; `SurfaceStatus` of shaders/isosurface/status.glsl.
struct IsosurfaceStatus {
    std::uint32_t vertices = 0;   ///< also those without room
    std::uint32_t triangles = 0;  ///< also those without room
    std::uint32_t blocks = 0;     ///< of points that the surface goes through, also without room
    std::uint32_t cells = 0;      ///< that it goes through, where it is found cell by cell
    std::uint32_t not_finite = 0; ///< texels that are no numbers: cells at them have no surface
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

/// The field, and what of it is wanted: the parameters that passes share.
struct IsosurfaceRequest {
    Image field;
    Buffer values;
    VoxelGrid voxels;
    SparseBricks bricks; ///< of `values`
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

/// What comes out of it.
struct IsosurfaceResult {
    TriangleMesh mesh;
    Buffer normals;
    Buffer draw;
    Buffer status;
};

/// How a cell is cut.
struct IsosurfaceCut {
    bool dual = false;    ///< vertices in cells
    bool decider = false; ///< ambiguous faces are cut by their saddles
    bool streams = false; ///< cell by cell, without shared vertices
};

/// Empty, with errors reported, where the request is refused.
IsosurfaceResult find_isosurface(Graph& graph, const IsosurfaceRequest& request,
                                 const IsosurfaceCut& cut);

/// Bytes of the field; 0 where there is none.
double field_bytes(const Graph& graph, const IsosurfaceRequest& request);

/// What a pass with these fields asks for.
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

/// Builds such a pass: its outputs stay empty, with errors reported, where it is refused.
template <typename Pass>
void build_isosurface(Graph& graph, Pass& pass, const IsosurfaceCut& cut) {
    const IsosurfaceResult found = find_isosurface(graph, isosurface_request(pass), cut);
    pass.mesh = found.mesh;
    pass.normals = found.normals;
    pass.draw = found.draw;
    pass.status = found.status;
}

/// Declares the ports and parameters that the passes share.
template <typename Pass>
void describe_isosurface(PassInfo<Pass>& info) {
    info.optional_input("field", &Pass::field,
                        "a volume; this, \"values\" or \"voxels\" must be connected");
    info.optional_input("values", &Pass::values,
                        "an array of \"dims\" elements of \"channels\" numbers, x fastest: the "
                        "cells of a fluid or its dye, for example")
        .template elements<float>();
    info.optional_input("voxels", &Pass::voxels,
                        "1 in voxels that are set, 0 elsewhere; they say where they lie");
    info.optional_input("bricks", &Pass::bricks,
                        "of a sparse store: \"values\" are then the cells of its slots, and where "
                        "there is no brick, or a cell is not a number, there is no surface");
    info.optional_input("valid", &Pass::valid,
                        "a volume of whole numbers, a texel for each cell between eight texels of "
                        "the field: where it is 0 there is no surface");
    info.parameter("dims", &Pass::dims, "of \"values\" without bricks: texels along x, y and z")
        .range(0, kMaxIsosurfaceSide)
        .unit("texels")
        .structural();
    info.parameter("channels", &Pass::channels, "numbers of each element of \"values\"")
        .range(1, 4)
        .structural();
    info.parameter("number", &Pass::number,
                   "of the texels of \"field\" or the elements of \"values\": a channel, or the "
                   "length of the vector")
        .structural();
    info.parameter("iso", &Pass::iso, "the surface is where the field has this value")
        .range(-1e30, 1e30);
    info.parameter("inside", &Pass::inside, "on which side of that value the inside is");
    info.parameter("closed", &Pass::closed,
                   "the field is outside beyond its border, half a step from the last texels; "
                   "false: surfaces end there")
        .structural();
    info.parameter("spacing", &Pass::spacing,
                   "from one texel to the next, along x, y and z; not of voxels")
        .range(0.0, 1e9, RangeEnds::open_low)
        .unit("world units");
    info.parameter("origin", &Pass::origin, "of the first texel's middle; not of voxels")
        .unit("world units");
    info.parameter("most_triangles", &Pass::most_triangles,
                   "that there is room for, and half as many vertices; 0: chosen by the field's "
                   "size. Where there are more, a warning says how many, and the room grows over "
                   "the frames of a run")
        .range(0, static_cast<double>(kMaxMeshTriangles))
        .structural();
    info.output("mesh", &Pass::mesh,
                "triangles, counter-clockwise as seen from outside. Behind the last one there are "
                "triangles of one point, up to the room, which all who take meshes leave out");
    info.output("normals", &Pass::normals, "three floats a vertex: outwards, of length 1")
        .template elements<glm::vec3>();
    info.output("draw", &Pass::draw, "the arguments of an indexed indirect draw of the mesh")
        .template elements<std::uint32_t>();
    info.output("status", &Pass::status, "how many vertices and triangles there are")
        .template elements<IsosurfaceStatus>();
}

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SurfaceInside> {
    static constexpr std::array<std::string_view, 2> names{"above", "below"};
};
