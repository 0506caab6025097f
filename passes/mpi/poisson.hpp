#pragma once

#include "passes/common/poisson_boundary.hpp"
#include "passes/mpi/parts.hpp"

#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

enum class PartPoissonMethod : std::uint8_t {
    jacobi,  ///< damped by `omega`
    v_cycle, ///< multigrid
    mgpcg,   ///< conjugate residuals, a V-cycle as preconditioner
};

/// The Poisson equation on a field that ranks have in parts. See `describe`.
struct PoissonOfParts {
    static constexpr std::string_view kName = "mpi/poisson";

    Image source;
    Image guess; ///< optional: where to start from, and values of fixed cells
    Image kinds; ///< optional, one channel of whole numbers: `PoissonCell`; none: all are unknown
    glm::ivec3 cells{1, 1, 1};
    std::int32_t halo = 1;
    PartPoissonMethod method = PartPoissonMethod::v_cycle;
    float tolerance = 1e-4f; ///< of the residual's norm, relative to that of the source;
                             ///< 0: all cycles run, and there is no status
    std::uint32_t max_cycles = 20;
    std::uint32_t gather_cells = 1u << 18; ///< grids of so many cells go to all ranks
    std::uint32_t iterations = 50;         ///< of jacobi
    float omega = 0.8f;                    ///< of jacobi
    glm::vec3 spacing{1.0f};               ///< between centres of neighbours
    PoissonBoundary x = PoissonBoundary::neumann;
    PoissonBoundary y = PoissonBoundary::neumann;
    PoissonBoundary z = PoissonBoundary::neumann;
    Image result;
    Buffer residual;  ///< of jacobi: f32, the greatest of all cells
    Buffer status;    ///< kPoissonStatusWords words, see PoissonReport; of cycles with a tolerance
    Buffer residuals; ///< f32: norms before the first cycle and after each; beyond these, -1

    static void describe(PassInfo<PoissonOfParts>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::PartPoissonMethod> {
    static constexpr std::array<std::string_view, 3> names{"jacobi", "v_cycle", "mgpcg"};
};
