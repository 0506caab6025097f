#pragma once

#include "passes/displacement/cast.hpp"
#include "passes/raytrace/shapes.hpp"

namespace tuff::passes {

/// Puts displaced patches into traced scenes. See `describe`.
struct DisplacedShapes {
    static constexpr std::string_view kName = "displacement/shapes";

    DisplacedSurface surface;
    Buffer materials; ///< optional
    std::uint32_t material = 0;
    PatchMethod method = PatchMethod::automatic;
    std::uint32_t batch = 1024;
    std::uint32_t most_pairs = 0;

    RayShapes shapes;

    static void describe(PassInfo<DisplacedShapes>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
