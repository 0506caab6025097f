#pragma once

#include "passes/raytrace/shapes.hpp"

namespace tuff::passes {

/// Puts shapes of two kinds into the same traced scene. See `describe`.
struct JoinShapes {
    static constexpr std::string_view kName = "displacement/join_shapes";

    RayShapes first;
    RayShapes second;

    RayShapes shapes;

    static void describe(PassInfo<JoinShapes>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
