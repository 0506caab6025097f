#include "apps/bench/hypre.hpp"

#if TUFF_HAS_HYPRE

#include <dlfcn.h>
#include <fmt/format.h>

// The C++ bindings would have to be linked.
#define OMPI_SKIP_MPICXX 1
#include <HYPRE_struct_ls.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace tuff::bench {
namespace {

constexpr const char* kHypreLibrary = "libHYPRE-" HYPRE_RELEASE_VERSION ".so";
constexpr std::size_t kHypreRounds = 5;
constexpr HYPRE_Int kMaxHypreCycles = 100;
// What is fastest of its choices here: Gauss-Seidel of two colours, in the same order before and
// after the correction, and coarse operators with the finest one's stencil.
constexpr HYPRE_Int kRedBlack = 3;
constexpr HYPRE_Int kSameStencil = 1;
/// The cell itself, then its upper neighbours: the rest is symmetric.
constexpr HYPRE_Int kEntries = 4;

/// The functions of hypre, and of the MPI that it is linked to, that are called. They are looked
/// for when they are needed: nothing that runs Tuff has to have, or a bundle to carry, a
/// benchmark's companion.
struct Hypre {
    decltype(&MPI_Initialized) initialized = nullptr;
    decltype(&MPI_Init) init = nullptr;
    MPI_Comm world = nullptr;
    decltype(&HYPRE_StructGridCreate) grid_create = nullptr;
    decltype(&HYPRE_StructGridDestroy) grid_destroy = nullptr;
    decltype(&HYPRE_StructGridSetExtents) grid_set_extents = nullptr;
    decltype(&HYPRE_StructGridSetPeriodic) grid_set_periodic = nullptr;
    decltype(&HYPRE_StructGridAssemble) grid_assemble = nullptr;
    decltype(&HYPRE_StructStencilCreate) stencil_create = nullptr;
    decltype(&HYPRE_StructStencilDestroy) stencil_destroy = nullptr;
    decltype(&HYPRE_StructStencilSetElement) stencil_set_element = nullptr;
    decltype(&HYPRE_StructMatrixCreate) matrix_create = nullptr;
    decltype(&HYPRE_StructMatrixDestroy) matrix_destroy = nullptr;
    decltype(&HYPRE_StructMatrixSetSymmetric) matrix_set_symmetric = nullptr;
    decltype(&HYPRE_StructMatrixInitialize) matrix_initialize = nullptr;
    decltype(&HYPRE_StructMatrixSetBoxValues) matrix_set_values = nullptr;
    decltype(&HYPRE_StructMatrixAssemble) matrix_assemble = nullptr;
    decltype(&HYPRE_StructVectorCreate) vector_create = nullptr;
    decltype(&HYPRE_StructVectorDestroy) vector_destroy = nullptr;
    decltype(&HYPRE_StructVectorInitialize) vector_initialize = nullptr;
    decltype(&HYPRE_StructVectorSetBoxValues) vector_set_values = nullptr;
    decltype(&HYPRE_StructVectorGetBoxValues) vector_get_values = nullptr;
    decltype(&HYPRE_StructVectorAssemble) vector_assemble = nullptr;
    decltype(&HYPRE_StructPFMGCreate) pfmg_create = nullptr;
    decltype(&HYPRE_StructPFMGDestroy) pfmg_destroy = nullptr;
    decltype(&HYPRE_StructPFMGSetTol) pfmg_set_tolerance = nullptr;
    decltype(&HYPRE_StructPFMGSetMaxIter) pfmg_set_most_cycles = nullptr;
    decltype(&HYPRE_StructPFMGSetRelaxType) pfmg_set_relaxation = nullptr;
    decltype(&HYPRE_StructPFMGSetRAPType) pfmg_set_coarse_operators = nullptr;
    decltype(&HYPRE_StructPFMGSetup) pfmg_setup = nullptr;
    decltype(&HYPRE_StructPFMGSolve) pfmg_solve = nullptr;
    decltype(&HYPRE_StructPFMGGetNumIterations) pfmg_cycles = nullptr;
};

/// Nothing where the library or one of the functions is missing. MPI is begun, and never ended: a
/// process can begin it only once.
std::optional<Hypre> load_hypre() {
    // Global, since plugins of Open MPI look for its functions there.
    void* const library = dlopen(kHypreLibrary, RTLD_NOW | RTLD_GLOBAL);
    if (!library) return {};
    Hypre h;
    bool complete = true;
    const auto find = [&]<class Pointer>(Pointer& pointer, const char* name) {
        pointer = reinterpret_cast<Pointer>(dlsym(library, name));
        complete = complete && pointer != nullptr;
    };
    find(h.initialized, "MPI_Initialized");
    find(h.init, "MPI_Init");
    find(h.world, "ompi_mpi_comm_world");
    find(h.grid_create, "HYPRE_StructGridCreate");
    find(h.grid_destroy, "HYPRE_StructGridDestroy");
    find(h.grid_set_extents, "HYPRE_StructGridSetExtents");
    find(h.grid_set_periodic, "HYPRE_StructGridSetPeriodic");
    find(h.grid_assemble, "HYPRE_StructGridAssemble");
    find(h.stencil_create, "HYPRE_StructStencilCreate");
    find(h.stencil_destroy, "HYPRE_StructStencilDestroy");
    find(h.stencil_set_element, "HYPRE_StructStencilSetElement");
    find(h.matrix_create, "HYPRE_StructMatrixCreate");
    find(h.matrix_destroy, "HYPRE_StructMatrixDestroy");
    find(h.matrix_set_symmetric, "HYPRE_StructMatrixSetSymmetric");
    find(h.matrix_initialize, "HYPRE_StructMatrixInitialize");
    find(h.matrix_set_values, "HYPRE_StructMatrixSetBoxValues");
    find(h.matrix_assemble, "HYPRE_StructMatrixAssemble");
    find(h.vector_create, "HYPRE_StructVectorCreate");
    find(h.vector_destroy, "HYPRE_StructVectorDestroy");
    find(h.vector_initialize, "HYPRE_StructVectorInitialize");
    find(h.vector_set_values, "HYPRE_StructVectorSetBoxValues");
    find(h.vector_get_values, "HYPRE_StructVectorGetBoxValues");
    find(h.vector_assemble, "HYPRE_StructVectorAssemble");
    find(h.pfmg_create, "HYPRE_StructPFMGCreate");
    find(h.pfmg_destroy, "HYPRE_StructPFMGDestroy");
    find(h.pfmg_set_tolerance, "HYPRE_StructPFMGSetTol");
    find(h.pfmg_set_most_cycles, "HYPRE_StructPFMGSetMaxIter");
    find(h.pfmg_set_relaxation, "HYPRE_StructPFMGSetRelaxType");
    find(h.pfmg_set_coarse_operators, "HYPRE_StructPFMGSetRAPType");
    find(h.pfmg_setup, "HYPRE_StructPFMGSetup");
    find(h.pfmg_solve, "HYPRE_StructPFMGSolve");
    find(h.pfmg_cycles, "HYPRE_StructPFMGGetNumIterations");
    if (!complete) return {};
    int begun = 0;
    if (h.initialized(&begun) != MPI_SUCCESS) return {};
    if (!begun && h.init(nullptr, nullptr) != MPI_SUCCESS) return {};
    return h;
}

template <typename Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, HYPRE_Int (*)(Handle)>;

/// The problem as hypre has it.
class Problem {
  public:
    Problem(const Hypre& hypre, glm::uvec3 size, passes::PoissonBoundary boundary)
        : hypre_(hypre), size_(size), periodic_(boundary == passes::PoissonBoundary::periodic),
          grid_(make_grid()), matrix_(make_matrix()) {}

    using Vector = Owned<HYPRE_StructVector>;
    Vector vector(std::span<const double> values) {
        HYPRE_StructVector made = nullptr;
        hypre_.vector_create(hypre_.world, grid_.get(), &made);
        Vector owned(made, hypre_.vector_destroy);
        hypre_.vector_initialize(made);
        set(owned, values);
        hypre_.vector_assemble(made);
        return owned;
    }
    void set(Vector& vector, std::span<const double> values) {
        std::vector<double> copy(values.begin(), values.end());
        hypre_.vector_set_values(vector.get(), low_, high_, copy.data());
    }
    std::vector<double> values(Vector& vector) {
        std::vector<double> all(count());
        hypre_.vector_get_values(vector.get(), low_, high_, all.data());
        return all;
    }
    std::size_t count() const { return std::size_t{size_.x} * size_.y * size_.z; }
    HYPRE_StructMatrix matrix() { return matrix_.get(); }

  private:
    Owned<HYPRE_StructGrid> make_grid() {
        HYPRE_Int around[3] = {0, 0, 0};
        for (int a = 0; a < 3; ++a) {
            high_[a] = static_cast<HYPRE_Int>(size_[a]) - 1;
            if (periodic_ && size_[a] > 1) around[a] = static_cast<HYPRE_Int>(size_[a]);
        }
        HYPRE_StructGrid made = nullptr;
        hypre_.grid_create(hypre_.world, 3, &made);
        Owned<HYPRE_StructGrid> owned(made, hypre_.grid_destroy);
        hypre_.grid_set_extents(made, low_, high_);
        hypre_.grid_set_periodic(made, around);
        hypre_.grid_assemble(made);
        return owned;
    }

    Owned<HYPRE_StructMatrix> make_matrix() {
        HYPRE_StructStencil stencil = nullptr;
        hypre_.stencil_create(3, kEntries, &stencil);
        const Owned<HYPRE_StructStencil> keep(stencil, hypre_.stencil_destroy);
        HYPRE_Int offsets[kEntries][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        HYPRE_Int entries[kEntries] = {0, 1, 2, 3};
        for (HYPRE_Int i = 0; i < kEntries; ++i)
            hypre_.stencil_set_element(stencil, i, offsets[i]);
        HYPRE_StructMatrix made = nullptr;
        hypre_.matrix_create(hypre_.world, grid_.get(), stencil, &made);
        Owned<HYPRE_StructMatrix> owned(made, hypre_.matrix_destroy);
        hypre_.matrix_set_symmetric(made, 1);
        hypre_.matrix_initialize(made);
        std::vector<double> values = coefficients();
        hypre_.matrix_set_values(made, low_, high_, kEntries, entries, values.data());
        hypre_.matrix_assemble(made);
        return owned;
    }

    std::vector<double> coefficients() const {
        std::vector<double> values;
        values.reserve(count() * kEntries);
        glm::uvec3 at;
        for (at.z = 0; at.z < size_.z; ++at.z)
            for (at.y = 0; at.y < size_.y; ++at.y)
                for (at.x = 0; at.x < size_.x; ++at.x) {
                    double own = 0.0;
                    double upper[3];
                    for (int a = 0; a < 3; ++a) {
                        const bool coupled = size_[a] > 1;
                        const bool above = coupled && (periodic_ || at[a] + 1 < size_[a]);
                        const bool below = coupled && (periodic_ || at[a] > 0);
                        own += (above ? 1.0 : 0.0) + (below ? 1.0 : 0.0);
                        upper[a] = above ? -1.0 : 0.0;
                    }
                    values.insert(values.end(), {own, upper[0], upper[1], upper[2]});
                }
        return values;
    }

    const Hypre& hypre_;
    glm::uvec3 size_;
    bool periodic_;
    HYPRE_Int low_[3] = {0, 0, 0};
    HYPRE_Int high_[3] = {0, 0, 0};
    Owned<HYPRE_StructGrid> grid_;
    Owned<HYPRE_StructMatrix> matrix_;
};

} // namespace

std::optional<HypreSolve> solve_by_hypre(glm::uvec3 size, passes::PoissonBoundary boundary,
                                         std::span<const float> rhs, double tolerance) {
    const std::optional<Hypre> hypre = load_hypre();
    if (!hypre) return {};
    Problem problem(*hypre, size, boundary);
    const std::vector<double> nothing(problem.count(), 0.0);
    Problem::Vector b = problem.vector(std::vector<double>(rhs.begin(), rhs.end()));
    Problem::Vector x = problem.vector(nothing);

    HYPRE_StructSolver made = nullptr;
    hypre->pfmg_create(hypre->world, &made);
    const Owned<HYPRE_StructSolver> solver(made, hypre->pfmg_destroy);
    hypre->pfmg_set_tolerance(made, tolerance);
    hypre->pfmg_set_most_cycles(made, kMaxHypreCycles);
    hypre->pfmg_set_relaxation(made, kRedBlack);
    hypre->pfmg_set_coarse_operators(made, kSameStencil);
    if (hypre->pfmg_setup(made, problem.matrix(), b.get(), x.get()) != 0) return {};
    std::vector<double> milliseconds;
    for (std::size_t round = 0; round < kHypreRounds; ++round) {
        problem.set(x, nothing);
        const auto start = std::chrono::steady_clock::now();
        if (hypre->pfmg_solve(made, problem.matrix(), b.get(), x.get()) != 0) return {};
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - start;
        milliseconds.push_back(took.count());
    }
    std::ranges::sort(milliseconds);
    HYPRE_Int cycles = 0;
    hypre->pfmg_cycles(made, &cycles);
    const std::vector<double> solution = problem.values(x);
    // Debian builds it without OpenMP: a process has one thread of it.
    return HypreSolve{
        .name = fmt::format("hypre {} PFMG on 1 thread, {} cycles", HYPRE_RELEASE_VERSION, cycles),
        .milliseconds = milliseconds[kHypreRounds / 2],
        .solution = std::vector<float>(solution.begin(), solution.end())};
}

} // namespace tuff::bench

#else

namespace tuff::bench {

std::optional<HypreSolve> solve_by_hypre(glm::uvec3, passes::PoissonBoundary,
                                         std::span<const float>, double) {
    return {};
}

} // namespace tuff::bench

#endif
