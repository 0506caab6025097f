#include "passes/isosurface/dual_contouring.hpp"

namespace tuff::passes {

void DualContouring::describe(PassInfo<DualContouring>& info) {
    info.summary("Makes a mesh of the surface on which a field has one value, with its sharp edges "
                 "and corners, by dual contouring")
        .details(
            "Vertices lie within cells of eight texels, where the planes meet that the field has "
            "at the cell's crossed edges: the least squares of the distances to them, kept within "
            "the cell. Each crossed edge gives two triangles. Distance fields keep corners so, "
            "which marching cubes cuts off. Gradients come from the smoothest of three stencils, "
            "so that a plane keeps its own up to where the next one begins.\n\n"
            "The mesh is a manifold: a cell has a vertex for each part of the surface that goes "
            "through it, and where two cells would share two edges they cut the face between them "
            "the other way. At the border of the field, and at cells that are not valid, surfaces "
            "end half a cell earlier than those of marching cubes.")
        .source("T. Ju, F. Losasso, S. Schaefer and J. Warren, \"Dual Contouring of Hermite "
                "Data\", SIGGRAPH 2002; S. Schaefer, T. Ju and J. Warren, \"Manifold Dual "
                "Contouring\", TVCG 2007; R. Wenger, \"Isosurfaces\", 2013 (ambiguous faces)")
        .complexity("O(texels)")
        .cost([](const DualContouring& pass, const Graph& graph) {
            const double bytes = field_bytes(graph, isosurface_request(pass));
            return Cost{.bytes = bytes, .operations = 10.0 * bytes};
        });
    describe_isosurface(info);
}

void DualContouring::build(Graph& graph) {
    build_isosurface(graph, *this, {.dual = true});
}

TUFF_PASS(DualContouring)

} // namespace tuff::passes
