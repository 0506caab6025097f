#pragma once

#include "passes/bodies/bodies.hpp"

#include <tuff/scene_resources.hpp>

#include <string>
#include <vector>

namespace tuff::passes {

/// Moves nodes of a scene with rigid bodies. See `describe`.
struct MoveNodes {
    static constexpr std::string_view kName = "bodies/move_nodes";

    Scene source;
    Bodies bodies;
    Bodies initial; ///< optional
    std::vector<std::string> nodes{"*"};
    std::uint32_t first = 0;

    Scene scene;

    static void describe(PassInfo<MoveNodes>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
