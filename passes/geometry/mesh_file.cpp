#include "passes/geometry/mesh_file.hpp"

#include "passes/primitives/elements.hpp"

#include <tuff/mesh.hpp>

#include <glm/vec3.hpp>

#include <algorithm>

namespace tuff::passes {

void MeshFile::describe(PassInfo<MeshFile>& info) {
    info.summary("Packs a mesh for \"tuff run\" to write as a file: PLY, OBJ or glTF")
        .details("The name of the output's file selects the format: .ply (binary), .obj, .glb or "
                 ".gltf. With \"counts\" only the vertices and triangles that the device has made "
                 "are written.")
        .complexity("O(vertices + triangles)")
        .cost([](const MeshFile& pass, const Graph&) {
            return Cost{.bytes = 48.0 * pass.mesh.vertex_count + 24.0 * pass.mesh.triangle_count,
                        .operations = 0.0};
        });
    info.input("mesh", &MeshFile::mesh, "the triangles");
    info.optional_input("normals", &MeshFile::normals, "three floats a vertex")
        .elements<glm::vec3>();
    info.optional_input("counts", &MeshFile::counts,
                        "the numbers of vertices and triangles in the first two words, such as the "
                        "status of isosurface/marching_cubes");
    info.output("file", &MeshFile::file, "the mesh, packed").elements<std::uint32_t>();
}

void MeshFile::build(Graph& graph) {
    if (!is_valid(graph, mesh)) return;
    const std::uint64_t corners = 3ull * mesh.vertex_count;
    if (normals && capacity(graph, normals) < corners) {
        graph.error("primitives/too-short", "\"normals\" has fewer vertices than the mesh",
                    "connect the normals of the same mesh");
        return;
    }
    if (counts && capacity(graph, counts) < 2) {
        graph.error("primitives/too-short", "\"counts\" has fewer than two words",
                    "connect the status of the pass that made the mesh");
        return;
    }
    const std::uint64_t words =
        kPackedMeshHeader + corners * (normals ? 2 : 1) + 3ull * mesh.triangle_count;
    if (words > kMaxElements) {
        graph.error("primitives/too-long", "the mesh is too large for one buffer",
                    "write it in parts");
        return;
    }
    ComputeNodeBuilder node = graph.compute("geometry/mesh_file");
    node.read("positions", mesh.positions);
    node.read_optional("normals", normals);
    node.read("indices", mesh.indices);
    node.read_optional("counts", counts);
    node.set("vertices", mesh.vertex_count);
    node.set("triangles", mesh.triangle_count);
    file = node.write("mesh_file", array(graph, "file", words));
    node.dispatch_each(std::max(3 * std::max(mesh.vertex_count, mesh.triangle_count), 1u));
}

TUFF_PASS(MeshFile)

} // namespace tuff::passes
