#pragma once

#include "passes/common/poisson_boundary.hpp"
#include "passes/mpi/parts.hpp"

#include <glm/vec3.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// The Poisson equation on a field that ranks have in parts. See `describe`.
struct PoissonOfParts {
    static constexpr std::string_view kName = "mpi/poisson";

    Image source;
    Image guess; ///< optional
    glm::ivec3 cells{1, 1, 1};
    std::int32_t halo = 1;
    std::int32_t iterations = 50;
    float omega = 0.8f;
    float cell = 1.0f;
    PoissonBoundary x = PoissonBoundary::neumann;
    PoissonBoundary y = PoissonBoundary::neumann;
    PoissonBoundary z = PoissonBoundary::neumann;
    Image result;
    Buffer residual;

    static void describe(PassInfo<PoissonOfParts>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
