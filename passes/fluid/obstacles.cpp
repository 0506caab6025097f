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
    info.summary("Marks the solid cells of a fluid, from a picture, a voxelized mesh, or shapes")
        .details("A cell is solid where the picture is brighter than \"threshold\", where "
                 "\"voxels\" has a set voxel, or where its center is in the sphere or in the "
                 "box. The picture is stretched over the field, is sampled at the nearest "
                 "texel, and is the same at every z. Its brightness is (r + g + b) / 3 times "
                 "alpha. A voxel is one cell; \"offset\" is the distance from the field's "
                 "corner in cells.\n\n"
                 "\"motion\" gives the velocity that the fluid sees at solids. It does not "
                 "move the mask, so change the shapes along with it. When a solid moves away, "
                 "the fluid behind it starts with the solid's velocity.")
        .complexity("O(cells)")
        .cost([](const FluidObstaclesFrom& pass, const Graph&) {
            return Cost{.bytes = 4.0 * static_cast<double>(pass.obstacles.word_count())};
        });
    info.optional_input("picture", &FluidObstaclesFrom::picture,
                        "picture that is bright at solid cells")
        .picture();
    info.optional_input("voxels", &FluidObstaclesFrom::voxels,
                        "voxels that are set at solid cells");
    info.parameter("dims", &FluidObstaclesFrom::dims, "cells along each axis; z is 1 in 2D")
        .range(1, kMaxFluidSide)
        .unit("cells")
        .structural();
    info.parameter("threshold", &FluidObstaclesFrom::threshold,
                   "brightness above which the picture is solid")
        .range(0.0, 1e6);
    info.parameter("dark", &FluidObstaclesFrom::dark,
                   "makes cells solid where the picture is darker than \"threshold\" instead");
    info.parameter("center", &FluidObstaclesFrom::center, "center of the sphere").unit("cells");
    info.parameter("radius", &FluidObstaclesFrom::radius, "radius of the sphere; 0: none")
        .range(0.0, 1e6)
        .unit("cells");
    info.parameter("low", &FluidObstaclesFrom::low, "lower corner of the box").unit("cells");
    info.parameter("high", &FluidObstaclesFrom::high,
                   "upper corner of the box; if not above "
                   "the lower one: no box")
        .unit("cells");
    info.parameter("offset", &FluidObstaclesFrom::offset, "position of the voxels in the field")
        .range(-double{kMaxFluidSide}, kMaxFluidSide)
        .unit("cells");
    info.group("motion", &FluidObstaclesFrom::motion);
    info.output("obstacles", &FluidObstaclesFrom::obstacles,
                "the solid cells, for the passes that step fluids");
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
