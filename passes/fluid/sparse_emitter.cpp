#include "passes/fluid/sparse_emitter.hpp"

namespace tuff::passes {

void SparseEmitter::describe(PassInfo<SparseEmitter>& info) {
    info.summary("Defines a source of force and dye for the smoke of fluid/sparse")
        .details(
            "In a step, velocity grows by dt times \"force\", and dye by dt times \"dye\", "
            "both times the weight of the shape at the cell. For a \"sphere\" the weight is (1 "
            "- r^2 / R^2)^3, for a \"box\" 1. For \"texture\" it is the red channel of the "
            "volume, stretched over the box. For \"voxels\" it is 1 in set voxels of a "
            "voxelized mesh (voxel/voxelize), whose grid is stretched over the box. Emitters "
            "of size 0 emit nothing.")
        .source("A. Dunn, \"Interactive Sparse Eulerian Fluid\", GPU Pro 7, 2016")
        .complexity("no kernel of its own: O(1) for each cell and emitter, in the passes that "
                    "use it");
    info.parameter("shape", &SparseEmitter::shape, "shape of the emitter").structural();
    info.parameter("position", &SparseEmitter::position, "center of the emitter")
        .range(-1e6, 1e6)
        .unit("cells");
    info.parameter("size", &SparseEmitter::size,
                   "half the size of the box along each axis; for a sphere the first is the "
                   "radius")
        .range(0.0, 1e6)
        .unit("cells");
    info.parameter("force", &SparseEmitter::force, "acceleration of the fluid inside")
        .range(-1e6, 1e6)
        .unit("cells / time unit^2");
    info.parameter("dye", &SparseEmitter::dye, "dye added: three colors or amounts, and heat")
        .range(0.0, 1e6)
        .unit("1 / time unit");
    info.optional_input("texture", &SparseEmitter::texture, "\"texture\": a volume");
    info.optional_input("voxels", &SparseEmitter::voxels, "\"voxels\": a voxelized mesh");
    info.output("emitter", &SparseEmitter::emitter, "the emitter, for fluid/sparse");
}

void SparseEmitter::build(Graph& graph) {
    if (shape == SmokeShape::texture && (!texture || graph.desc(texture).shape != ImageShape::d3)) {
        graph.error("fluid/no-emitter-volume", "an emitter of shape \"texture\" has no volume",
                    "connect a three-dimensional image to \"texture\"");
        return;
    }
    if (shape == SmokeShape::voxels && !voxels) {
        graph.error("fluid/no-emitter-volume", "an emitter of shape \"voxels\" has no voxels",
                    "connect the voxels of a mesh (voxel/voxelize) to \"voxels\"");
        return;
    }
    emitter = {.shape = shape,
               .position = position,
               .size = size,
               .force = force,
               .dye = dye,
               .texture = shape == SmokeShape::texture ? texture : Image{},
               .voxels = shape == SmokeShape::voxels ? voxels : VoxelGrid{}};
}

TUFF_PASS(SparseEmitter)

} // namespace tuff::passes
