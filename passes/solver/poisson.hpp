#pragma once

#include "passes/common/poisson_boundary.hpp"
#include "passes/solver/poisson_report.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace tuff::passes {

enum class PoissonMethod : std::uint8_t {
    jacobi,         ///< damped by `omega`
    gauss_seidel,   ///< red and black
    sor,            ///< Gauss-Seidel, overrelaxed by `omega`
    v_cycle,        ///< multigrid
    w_cycle,        ///< two coarse corrections a level
    full_multigrid, ///< from the coarsest grid up, then V-cycles
    mgpcg,          ///< conjugate residuals, a V-cycle as preconditioner
    printed_v,      ///< the chapter's V-cycle with the chapter's numbers; between Neumann sides
    printed_4w,     ///< the same with four descents from the second grid
    fft,            ///< direct: by Fourier transforms, where sides and lengths allow
    automatic,      ///< v_cycle; with `cells` mgpcg
};

/// What a cell is: the words of `Poisson::cells`.
enum class PoissonCell : std::uint32_t {
    unknown = 0, ///< the solution is wanted
    solid = 1,   ///< no flux through its faces; its solution is 0
    fixed = 2,   ///< its solution is what the guess holds (0 without one)
};

/// The boundaries of the axes.
struct PoissonBoundaries {
    PoissonBoundary x = PoissonBoundary::neumann;
    PoissonBoundary y = PoissonBoundary::neumann;
    PoissonBoundary z = PoissonBoundary::neumann;

    static constexpr PoissonBoundaries all(PoissonBoundary kind) { return {kind, kind, kind}; }
    static void describe_fields(auto&& field) {
        field("x", &PoissonBoundaries::x, "boundary condition at both ends of the x axis")
            .structural();
        field("y", &PoissonBoundaries::y, "boundary condition at both ends of the y axis")
            .structural();
        field("z", &PoissonBoundaries::z, "boundary condition at both ends of the z axis")
            .structural();
    }
};

/// What holds on one side of the box.
enum class PoissonSideKind : std::uint8_t {
    axis,      ///< what the axis has in `boundary`
    dirichlet, ///< u = value
    neumann,   ///< du/dn = value, n pointing out of the box
    robin,     ///< a u + b du/dn = value
};

struct PoissonSide {
    PoissonSideKind kind = PoissonSideKind::axis;
    float value = 0.0f; ///< on the whole face; what a buffer or an image has a cell is added
    float a = 1.0f;     ///< of robin, as is `b`; neither is negative, and one is more than 0
    float b = 1.0f;

    static void describe_fields(auto&& field) {
        constexpr double kNoEnd = std::numeric_limits<double>::infinity();
        field("kind", &PoissonSide::kind, "condition on the face; \"axis\": as in \"boundary\"")
            .structural();
        field("value", &PoissonSide::value,
              "value of the solution (dirichlet), of its outward derivative (neumann), or of a u + "
              "b du/dn (robin)")
            .structural();
        field("a", &PoissonSide::a, "robin: factor of the solution")
            .range(0.0, kNoEnd)
            .structural();
        field("b", &PoissonSide::b, "robin: factor of the outward derivative")
            .range(0.0, kNoEnd)
            .structural();
    }
};

/// Solves Poisson's equation, -(d2/dx2 + d2/dy2 + d2/dz2) solution = rhs, on a box of cells. See
/// `describe`.
///
///     const Poisson solve = graph.add(Poisson{
///         .rhs = divergence, .size = {64, 64, 64}, .spacing = glm::vec3(h)});
///     use(solve.solution);
///
/// Arrays are f32, x fastest: cell (x, y, z) is element x + size.x * (y + size.y * z). A picture
/// has size.z = 1 and a line size.y = size.z = 1: along the missing axes nothing is coupled,
/// whatever their boundary. Images of one channel may take the place of arrays, two-dimensional
/// where size.z is 1, and else volumes.
struct Poisson {
    static constexpr std::string_view kName = "solver/poisson";

    Buffer rhs;        ///< f32 a cell
    Image rhs_image;   ///< one channel, instead of `rhs`
    Buffer guess;      ///< optional: f32 a cell; where to start from, and values of fixed cells
    Image guess_image; ///< one channel, instead of `guess`
    Buffer cells;      ///< optional: u32 a cell, `PoissonCell`; none: all are unknown
    Image cells_image; ///< one channel of whole numbers, instead of `cells`
    /// Optional: f32 a cell of the face, added to the side's `value`. Of x sides y is fastest, of
    /// the others x.
    Buffer x_low_values;
    Buffer x_high_values;
    Buffer y_low_values;
    Buffer y_high_values;
    Buffer z_low_values;
    Buffer z_high_values;
    Image x_low_values_image; ///< one channel, instead of `x_low_values`; and so on
    Image x_high_values_image;
    Image y_low_values_image;
    Image y_high_values_image;
    Image z_low_values_image;
    Image z_high_values_image;
    glm::uvec3 size{0};      ///< cells along each axis; 0: the texels of `rhs_image`
    glm::vec3 spacing{1.0f}; ///< between centres of neighbours
    PoissonBoundaries boundary;
    PoissonSide x_low; ///< the face at x = 0; and so on
    PoissonSide x_high;
    PoissonSide y_low;
    PoissonSide y_high;
    PoissonSide z_low;
    PoissonSide z_high;
    PoissonMethod method = PoissonMethod::automatic;
    float tolerance = 1e-4f;       ///< of the residual's norm, relative to that of the rhs
    std::uint32_t max_cycles = 20; ///< sweeps of the smoothers come in batches: `batch_sweeps`
    std::uint32_t pre_sweeps = 1;
    std::uint32_t post_sweeps = 1;
    float omega = 0.0f; ///< relaxation factor, in (0, 2); 0: what suits the method and the grid
    std::uint32_t batch_sweeps = 8; ///< of jacobi, gauss_seidel and sor between looks at the norm

    Buffer solution; ///< f32 a cell; of mean 0 where nothing fixes the mean
    Image image;     ///< the same, r32_sfloat; not connected where that is too large for the device
    Buffer status;   ///< kPoissonStatusWords words: see PoissonReport
    Buffer residuals; ///< f32: the residual's norm before the first cycle, and after each one
                      ///< that ran; beyond these, -1

    static void describe(PassInfo<Poisson>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::PoissonMethod> {
    static constexpr std::array<std::string_view, 11> names{
        "jacobi", "gauss_seidel", "sor",        "v_cycle", "w_cycle",  "full_multigrid",
        "mgpcg",  "printed_v",    "printed_4w", "fft",     "automatic"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::PoissonSideKind> {
    static constexpr std::array<std::string_view, 4> names{"axis", "dirichlet", "neumann", "robin"};
};
