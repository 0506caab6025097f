#pragma once

#include "passes/mpi/parts.hpp"

#include <glm/vec3.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Fills the halo of a rank's part of a field. See `describe`.
struct HaloExchange {
    static constexpr std::string_view kName = "mpi/exchange";

    Image source;
    glm::ivec3 cells{1, 1, 1};
    std::int32_t halo = 1;
    HaloEdge edge_x = HaloEdge::clamp;
    HaloEdge edge_y = HaloEdge::clamp;
    HaloEdge edge_z = HaloEdge::clamp;
    Image result;

    static void describe(PassInfo<HaloExchange>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
