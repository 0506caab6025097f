#include "passes/fluid/sparse_emitter.hpp"

namespace tuff::passes {

void SparseEmitter::describe(PassInfo<SparseEmitter>& info) {
    info.summary("A place in which the smoke of fluid/sparse takes on a force and a dye")
        .details(
            "In a step, velocity grows by dt times \"force\" and dye by dt times \"dye\", times "
            "the "
            "share of the place: of a sphere (1 - r^2 / R^2)^3, of a box 1, of \"texture\" the red "
            "number of the volume's texel there, stretched over the box, and of \"voxels\" 1 in "
            "voxels that are set: those of a mesh (voxel/voxelize), whose grid is stretched over "
            "the box. Emitters of size 0 emit nothing.")
        .source("A. Dunn, \"Interactive Sparse Eulerian Fluid\", GPU Pro 7, 2016")
        .complexity("no kernel of its own: O(1) for each cell and emitter where it is used");
    info.parameter("shape", &SparseEmitter::shape, "what it fills").structural();
    info.parameter("position", &SparseEmitter::position, "its middle")
        .range(-1e6, 1e6)
        .unit("cells");
    info.parameter("size", &SparseEmitter::size,
                   "half of the box along each axis; of a sphere the first is the radius")
        .range(0.0, 1e6)
        .unit("cells");
    info.parameter("force", &SparseEmitter::force, "acceleration of what is in it")
        .range(-1e6, 1e6)
        .unit("cells / time unit^2");
    info.parameter("dye", &SparseEmitter::dye, "what is added: three colours or amounts, and heat")
        .range(0.0, 1e6)
        .unit("1 / time unit");
    info.optional_input("texture", &SparseEmitter::texture, "of \"texture\": a volume");
    info.optional_input("voxels", &SparseEmitter::voxels, "of \"voxels\": a voxelized mesh");
    info.output("emitter", &SparseEmitter::emitter, "for fluid/sparse");
}

void SparseEmitter::build(Graph& graph) {
    if (shape == SmokeShape::texture && (!texture || graph.desc(texture).shape != ImageShape::d3)) {
        graph.error("fluid/no-emitter-volume", "an emitter of shape \"texture\" has no volume",
                    "connect a three-dimensional image to \"texture\"");
        return;
    }
    if (shape == SmokeShape::voxels && !voxels) {
        graph.error("fluid/no-emitter-volume", "an emitter of shape \"voxels\" has no voxels",
                    "connect those of a mesh (voxel/voxelize) to \"voxels\"");
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
