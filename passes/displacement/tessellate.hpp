#pragma once

#include "passes/displacement/surface.hpp"

namespace tuff::passes {

/// Makes a mesh of a displaced surface. See `describe`.
struct TessellateDisplaced {
    static constexpr std::string_view kName = "displacement/tessellate";

    DisplacedSurface surface;
    std::int32_t level = -1;

    TriangleMesh mesh;

    static void describe(PassInfo<TessellateDisplaced>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
