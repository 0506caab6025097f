#include "passes/fluid/obstacles.hpp"

namespace tuff::passes {
namespace {

void set_shapes(ComputeNodeBuilder& node, const FluidObstaclesFrom& pass) {
    node.set("dims", glm::ivec3(pass.dims));
    node.set("center", pass.center);
    node.set("radius", pass.radius);
    node.set("low", pass.low);
    node.set("high", pass.high);
}

} // namespace

void FluidObstaclesFrom::describe(PassInfo<FluidObstaclesFrom>& info) {
    info.summary("Says which cells of a fluid are solid: a picture's, a voxelized mesh, shapes")
        .details("A cell is solid where the picture is brighter than \"threshold\" (its nearest "
                 "texel: the picture is stretched over the field, and is the same at every z), "
                 "where \"voxels\" has a set voxel, or where its middle is in the ball or in the "
                 "box. Voxels are taken one to a cell, \"offset\" cells from the field's corner. "
                 "A picture's brightness is (r + g + b) / 3 times alpha. \"motion\" is what fluid "
                 "at solids is told of their velocity: it moves nothing by itself, so change the "
                 "shapes along with it. Where a solid has moved off, fluid begins with its "
                 "velocity.")
        .complexity("O(cells)")
        .cost([](const FluidObstaclesFrom& pass, const Graph&) {
            return Cost{.bytes = 4.0 * static_cast<double>(pass.obstacles.word_count())};
        });
    info.optional_input("picture", &FluidObstaclesFrom::picture, "solid where it is bright")
        .picture();
    info.optional_input("voxels", &FluidObstaclesFrom::voxels, "solid where they are set");
    info.parameter("dims", &FluidObstaclesFrom::dims, "cells along each axis; z is 1 in 2D")
        .range(1, kMaxFluidSide)
        .unit("cells")
        .structural();
    info.parameter("threshold", &FluidObstaclesFrom::threshold, "brightness of the picture")
        .range(0.0, 1e6);
    info.parameter("dark", &FluidObstaclesFrom::dark,
                   "the picture's cells are solid where it is darker instead");
    info.parameter("center", &FluidObstaclesFrom::center, "of the ball").unit("cells");
    info.parameter("radius", &FluidObstaclesFrom::radius, "of the ball; 0: none")
        .range(0.0, 1e6)
        .unit("cells");
    info.parameter("low", &FluidObstaclesFrom::low, "corner of the box").unit("cells");
    info.parameter("high", &FluidObstaclesFrom::high, "the other corner; where not above: no box")
        .unit("cells");
    info.parameter("offset", &FluidObstaclesFrom::offset, "of the voxels")
        .range(-double{kMaxFluidSide}, kMaxFluidSide)
        .unit("cells");
    info.group("motion", &FluidObstaclesFrom::motion);
    info.output("obstacles", &FluidObstaclesFrom::obstacles, "for the passes that step fluids");
}

void FluidObstaclesFrom::build(Graph& graph) {
    obstacles.dims = dims;
    obstacles.motion = motion;
    if (!is_valid_grid(graph, dims)) return;
    const BufferDesc words{.size = 4 * obstacles.word_count(), .stride = 4};
    ComputeNodeBuilder node =
        graph.compute("fluid/obstacles", {{"PICTURE", bool(picture)}}, "shapes");
    set_shapes(node, *this);
    if (picture) {
        node.read("picture", picture, Sampler::nearest());
        node.set("threshold", threshold);
        node.set("dark", std::uint32_t(dark));
    }
    obstacles.words = node.write("words", graph.buffer("obstacles", words));
    node.dispatch_each(static_cast<std::uint32_t>(obstacles.word_count()));
    if (!voxels) return;

    ComputeNodeBuilder add = graph.compute("fluid/obstacles_voxels", "voxels");
    add.read("voxels", voxels.words);
    add.read("shapes", obstacles.words);
    add.set("dims", glm::ivec3(dims));
    add.set("voxel_dims", glm::ivec3(voxels.dims));
    add.set("offset", offset);
    obstacles.words = add.write("words", graph.buffer("all_obstacles", words));
    add.dispatch_each(static_cast<std::uint32_t>(obstacles.word_count()));
}

TUFF_PASS(FluidObstaclesFrom)

} // namespace tuff::passes
