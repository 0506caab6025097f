#include "passes/isosurface/dual_contouring.hpp"

namespace tuff::passes {

void DualContouring::describe(PassInfo<DualContouring>& info) {
    info.summary("Extracts an isosurface with sharp edges and corners as a mesh, by dual "
                 "contouring")
        .details(
            "Vertices lie inside cells of eight texels, at the intersection of the field's "
            "tangent planes at the crossed edges of the cell: the least-squares point, clamped "
            "to the cell. Each crossed edge gives two triangles. So distance fields keep the "
            "corners that marching cubes cuts off. Each gradient comes from the smoothest of "
            "three stencils, so a plane keeps its gradient up to its border.\n\n"
            "The mesh is a manifold: a cell has one vertex for each part of the surface in it, "
            "and if two cells would share two edges, the face between them is cut the other "
            "way. At the border of the field and at cells that are not valid, surfaces end "
            "half a cell earlier than with marching cubes.")
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
