#include "passes/solver/poisson_fft.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/fft/lengths.hpp"
#include "passes/fft/real_lines.hpp"
#include "passes/solver/poisson_sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

namespace tuff::passes {
namespace {

/// An axis of the pass's, and what its modes are sums with.
struct ModeAxis {
    std::uint32_t cells = 1;
    double spacing = 1.0;
    bool coupled = true; ///< otherwise the axis is missing
    RealSums sums = RealSums::cosines;
};

/// Nothing for sides whose modes are others.
std::optional<RealSums> sums_of(const PoissonAxis& axis) {
    if (axis.wraps) return RealSums::hartley;
    if (axis.low.is_neumann() && axis.high.is_neumann()) return RealSums::cosines;
    if (axis.low.is_dirichlet() && axis.high.is_dirichlet()) return RealSums::sines;
    return {};
}

/// The grid's axes as the pass has them.
std::array<PoissonAxis, 3> axes_of(const Poisson& pass) {
    PoissonGrid grid = grid_of(pass);
    if (pass.size.z == 1) std::swap(grid.axes[1], grid.axes[2]);
    return grid.axes;
}

bool is_coupled(glm::uvec3 size, std::size_t axis) {
    return axis == 0 || (axis == 1 ? size.y > 1 || size.z > 1 : size.z > 1);
}

std::array<ModeAxis, 3> mode_axes(const Poisson& pass) {
    const std::array<PoissonAxis, 3> axes = axes_of(pass);
    std::array<ModeAxis, 3> result;
    for (std::size_t a = 0; a < 3; ++a)
        result[a] = {.cells = pass.size[static_cast<int>(a)],
                     .spacing = static_cast<double>(pass.spacing[static_cast<int>(a)]),
                     .coupled = is_coupled(pass.size, a),
                     .sums = sums_of(axes[a]).value_or(RealSums::cosines)};
    return result;
}

/// Of -d2/dx2, for a mode that turns by the angle from cell to cell: (2 sin(angle / 2) /
/// spacing)^2. In the order in which the sums are computed.
std::vector<float> mode_eigenvalues(const ModeAxis& axis) {
    std::vector<float> values(axis.cells);
    for (std::uint32_t k = 0; axis.coupled && k < axis.cells; ++k) {
        const double step = std::numbers::pi / axis.cells;
        double half = 0.0;
        switch (axis.sums) {
        case RealSums::cosines: half = step * k / 2.0; break;
        case RealSums::sines: half = step * (axis.cells - k) / 2.0; break;
        case RealSums::hartley: half = step * k; break;
        }
        // The zero of the constant mode is one.
        const double root = k == 0 && axis.sums != RealSums::sines ? 0.0 : 2.0 * std::sin(half);
        values[k] = static_cast<float>(std::pow(root / axis.spacing, 2.0));
    }
    return values;
}

RealLineAxis line_axis(const std::array<ModeAxis, 3>& axes, std::size_t a) {
    RealLineAxis axis{.line = axes[a].cells, .sums = axes[a].sums};
    for (std::size_t b = 0; b < 3; ++b)
        if (b != a) (b < a ? axis.inner : axis.outer) *= axes[b].cells;
    return axis;
}

/// Where the eigenvalues of the axes begin, for lines along `a`.
RealModes modes_for(Graph& graph, const std::array<ModeAxis, 3>& axes, std::size_t a) {
    std::vector<float> values;
    std::array<std::uint32_t, 3> first{};
    for (std::size_t b = 0; b < 3; ++b) {
        first[b] = static_cast<std::uint32_t>(values.size());
        const std::vector<float> of_axis = mode_eigenvalues(axes[b]);
        values.insert(values.end(), of_axis.begin(), of_axis.end());
    }
    const std::size_t faster = a == 0 ? 1 : 0;
    const std::size_t slower = a == 2 ? 1 : 2;
    return {.eigenvalues = constant_array(graph, "eigenvalues", values),
            .first = {first[a], first[faster], first[slower]},
            .fastest = axes[faster].cells};
}

} // namespace

bool has_transforms(Graph& graph, const Poisson& pass) {
    constexpr std::string_view kOther = "choose \"v_cycle\", or leave the method \"automatic\"";
    const std::array<PoissonAxis, 3> axes = axes_of(pass);
    for (std::size_t a = 0; a < 3; ++a) {
        if (!is_coupled(pass.size, a)) continue;
        if (!sums_of(axes[a])) {
            graph.error("solver/fft-sides",
                        fmt::format("transforms need both sides of an axis to be dirichlet or both "
                                    "neumann; those along {} differ or are robin",
                                    "xyz"[a]),
                        std::string(kOther));
            return false;
        }
        const std::uint32_t cells = pass.size[static_cast<int>(a)];
        if (is_real_line(cells)) continue;
        graph.error("solver/fft-size",
                    fmt::format("{} cells along {} are not a product of 2, 3, 5 and 7 up to {}, "
                                "which transforms need",
                                cells, "xyz"[a], kMaxFftLine),
                    std::string(kOther));
        return false;
    }
    return true;
}

Buffer solve_by_transforms(Graph& graph, const Poisson& pass, Buffer rhs) {
    const std::array<ModeAxis, 3> axes = mode_axes(pass);
    // The last axis that there is goes there and back in one kernel.
    const std::size_t last = pass.size.z > 1 ? 2 : pass.size.y > 1 ? 1 : 0;
    Buffer numbers = rhs;
    for (std::size_t a = 0; a < last; ++a)
        if (axes[a].cells > 1)
            numbers = sum_real_lines(graph, numbers, line_axis(axes, a), RealOrder::computed);
    RealLineAxis middle = line_axis(axes, last);
    middle.scale = 1.0f / static_cast<float>(middle.line);
    numbers = solve_real_lines(graph, numbers, middle, modes_for(graph, axes, last));
    for (std::size_t a = last; a-- > 0;) {
        if (axes[a].cells == 1) continue;
        RealLineAxis back = line_axis(axes, a);
        back.scale = 1.0f / static_cast<float>(back.line);
        numbers = unsum_real_lines(graph, numbers, back, RealOrder::computed);
    }
    return numbers;
}

} // namespace tuff::passes
