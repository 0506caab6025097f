#pragma once

#include "passes/mpi/poisson.hpp"
#include "passes/solver/poisson_report.hpp"
#include "ranks_fixture.hpp"
#include "tests/reference/poisson_reference.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Problems with solid and fixed cells in fields that ranks have in parts.
namespace tuff::testing_gpu {

inline constexpr std::uint32_t kSolidKind = 1;
inline constexpr std::uint32_t kFixedKind = 2;

/// -laplace(u) = rhs in unknown cells.
struct KindsProblem {
    PoissonBox box;
    Field rhs;
    Field guess;
    passes::PoissonOfParts pass = {};
};

struct KindsSolution {
    std::vector<float> u;  ///< of rank 0
    float residual = 0.0f; ///< of jacobi
    passes::PoissonReport report;
};

std::size_t index_in(const PoissonBox& box, const passes::Cells& cell);
passes::Cells whole_of(const PoissonBox& box);

/// Random, of mean 0 in unknown cells, and NaN where it does not count.
KindsProblem solid_problem(const PoissonBox& box, std::uint32_t seed,
                           const passes::PoissonOfParts& pass);
/// 0 where there is NaN.
Field finite(Field field);
/// Of the equations of unknown cells.
Field residual_of(const KindsProblem& problem, const Field& u);
/// For messages.
std::string name_of(const KindsProblem& problem, const Ranks& ranks);

class PoissonKindsTest : public RanksTest {
  protected:
    /// One of the grids of ranks: that with most ranks along more than one axis.
    static std::vector<Ranks> a_grid();
    /// Of images.
    static passes::Cells halo_of(const PoissonBox& box, std::uint32_t width);
    /// A rank's image of a field, with NaN in its halo.
    static Image part_of(Graph& g, const std::string& name, const PoissonBox& box,
                         const Field& field, double factor, const passes::Cells& halo);
    /// A rank's kinds of cells; the halo has none that exists.
    static Image kinds_of(Graph& g, const std::string& name, const PoissonBox& box,
                          const passes::Cells& halo);
    std::vector<KindsSolution> solve(const std::vector<KindsProblem>& problems, const Ranks& ranks);
    /// Fields that six ranks in a row can have, some with parts of one cell: solid and fixed cells
    /// lie across the borders between ranks and on them, and one rank has solid ones alone.
    static std::vector<PoissonBox> boxes(const Ranks& ranks);
};

} // namespace tuff::testing_gpu
