#include "passes/isosurface/marching_cubes.hpp"

namespace tuff::passes {

void MarchingCubes::describe(PassInfo<MarchingCubes>& info) {
    info.summary("Extracts an isosurface as a mesh, by marching cubes")
        .details("Each edge between neighbouring texels with one inside has a vertex, where the "
                 "linearly interpolated field has the iso value. Normals are gradients of the "
                 "field. The mesh is watertight wherever the field is: each edge inside the field "
                 "belongs to two triangles of opposite directions. The table of cases is computed "
                 "when a graph is built, by a rule for faces that both cells at a face follow. No "
                 "two triangles of a cell meet within a face.\n\n"
                 "\"blocks\" reads the field once to find the blocks of 32 x 8 x 4 texels that the "
                 "surface crosses. Only these are counted, placed by prefix sums, and written. "
                 "Vertices are shared. \"streams\" is the method of the book: the stream of cells "
                 "is filtered, expanded to triangles and filtered again; triangles share no "
                 "vertices. Both give the same triangles.\n\n"
                 "For fields of sparse stores, connect \"bricks\" and \"values\"; blocks without a "
                 "brick are skipped, and the surface ends at the border of the bricks.\n\n"
                 "Texels that are infinite or NaN make holes; a warning counts them, except in "
                 "bricks. Passes connected to \"mesh\" need no readback: the mesh always has its "
                 "full capacity, and triangles behind the last one have no area. \"draw\" draws "
                 "only the others.")
        .source("W. Lorensen and H. Cline, \"Marching Cubes: A High Resolution 3D Surface "
                "Construction Algorithm\", SIGGRAPH 1987; G. Nielson and B. Hamann, \"The "
                "Asymptotic Decider\", Visualization 1991; D. Horn, \"Stream Reduction Operations "
                "for GPGPU Applications\", GPU Gems 2, chapter 36, 2005")
        .complexity("O(texels)")
        .cost([](const MarchingCubes& pass, const Graph& graph) {
            const double bytes = field_bytes(graph, isosurface_request(pass));
            return Cost{.bytes = bytes, .operations = 10.0 * bytes};
        });
    describe_isosurface(info);
    info.parameter("ambiguous", &MarchingCubes::ambiguous,
                   "how to cut faces with two opposite corners inside: \"part\" separates "
                   "these corners, \"decider\" joins them if the bilinear field does")
        .structural();
    info.parameter("form", &MarchingCubes::form, "how cells with triangles are found").structural();
}

void MarchingCubes::build(Graph& graph) {
    build_isosurface(graph, *this,
                     {.decider = ambiguous == AmbiguousFaces::decider,
                      .streams = form == IsosurfaceForm::streams});
}

TUFF_PASS(MarchingCubes)

} // namespace tuff::passes
