#pragma once

#include "passes/geometry/triangle_mesh.hpp"

#include <tuff/pass.hpp>

#include <string_view>

namespace tuff::passes {

/// A mesh as programs write it to a file. See `describe`.
struct MeshFile {
    static constexpr std::string_view kName = "geometry/mesh_file";

    TriangleMesh mesh;
    Buffer normals; ///< optional
    Buffer counts;  ///< optional
    Buffer file;

    static void describe(PassInfo<MeshFile>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
