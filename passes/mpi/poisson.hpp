#pragma once

#include "passes/mpi/parts.hpp"

#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// What holds at both ends of the field along an axis.
enum class FieldBoundary : std::uint8_t {
    neumann,   ///< no flux
    dirichlet, ///< the solution is 0 at the face, half a cell beyond the outermost centres
    periodic,  ///< the other end
};

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
    FieldBoundary x = FieldBoundary::neumann;
    FieldBoundary y = FieldBoundary::neumann;
    FieldBoundary z = FieldBoundary::neumann;
    Image result;
    Buffer residual;

    static void describe(PassInfo<PoissonOfParts>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::FieldBoundary> {
    static constexpr std::array<std::string_view, 3> names{"neumann", "dirichlet", "periodic"};
};
