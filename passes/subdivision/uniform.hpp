#pragma once

#include "passes/geometry/triangle_mesh.hpp"
#include "passes/subdivision/cage.hpp"

#include <tuff/pass.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Largest number of levels of `SubdivideUniformly`, whose tables the host builds.
inline constexpr std::uint32_t kMaxUniformLevels = 7;

/// Subdivides all triangles of a cage. See `describe`.
struct SubdivideUniformly {
    static constexpr std::string_view kName = "subdivision/uniform";

    Cage cage;
    std::uint32_t levels = 2;
    bool limit = true;
    TriangleMesh mesh;
    Buffer normals;

    static void describe(PassInfo<SubdivideUniformly>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
