#include "passes/isosurface/marching_cubes.hpp"

namespace tuff::passes {

void MarchingCubes::describe(PassInfo<MarchingCubes>& info) {
    info.summary("Makes a mesh of the surface on which a field has one value, by marching cubes")
        .details(
            "A vertex lies on each edge between neighbouring texels of which one is inside, where "
            "the field, linear in between, has the value; normals are its gradient's. The mesh is "
            "watertight wherever the field is: each edge within the field belongs to two "
            "triangles, which go along it in opposite directions. The table of cases is derived "
            "when a graph is built: faces are cut by a rule that both cells at a face agree on, "
            "and no two triangles of a cell meet within a face.\n\n"
            "\"blocks\" goes over the field once, to find the blocks of 32 x 8 x 4 texels that the "
            "surface goes through; these alone are counted, given places by prefix sums, and "
            "written. Vertices are shared. \"streams\" is the text's way: the stream of cells is "
            "filtered, expanded "
            "to triangles and filtered again, and each triangle has vertices of its own. Both "
            "give the same triangles.\n\n"
            "Fields of sparse stores are searched where bricks are: \"bricks\" and \"values\" are "
            "connected, and blocks without a brick are left out. The surface ends where bricks "
            "do.\n\n"
            "Texels that are not numbers make holes, which a warning counts, but not of bricks. "
            "What is connected to "
            "\"mesh\" needs no readback: it has as many triangles as there is room for, those "
            "behind the last one without area; \"draw\" draws the others alone.")
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
                   "faces with two opposite corners inside: \"part\" keeps these apart, "
                   "\"decider\" joins them where the bilinear field does")
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
