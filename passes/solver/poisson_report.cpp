#include "passes/solver/poisson_report.hpp"

#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>

#include <cassert>

namespace tuff::passes {

PoissonReport PoissonReport::read(std::span<const std::uint32_t> words) {
    assert(words.size() >= kPoissonStatusWords);
    return status_from<PoissonReport>(words);
}

Diagnostics PoissonReport::warnings() const {
    Diagnostics all = PoissonFaults{*this}.warnings();
    if (status == PoissonStatus::not_converged)
        all.push_back(
            warning("solver/not-converged",
                    fmt::format("after {} cycles the residual is {:.3g}; it was {:.3g} at first",
                                cycles, last_residual, first_residual),
                    "increase \"max_cycles\", or choose a multigrid method"));
    if (status == PoissonStatus::stagnated)
        all.push_back(
            warning("solver/stagnated",
                    fmt::format("after {} cycles the residual is {:.3g} and no longer falls",
                                cycles, last_residual),
                    "raise \"tolerance\" above what rounding allows, or make the right-hand side "
                    "add up to 0 in cells that solid cells enclose"));
    return all;
}

Diagnostics PoissonFaults::warnings() const {
    if (report.status == PoissonStatus::bad_input)
        return {warning("solver/bad-input",
                        fmt::format("{} numbers are not finite or too large to be squared: the "
                                    "solution is 0",
                                    report.not_finite),
                        "check the right-hand side and the guess")};
    if (report.incompatible_rhs != 0)
        return {
            warning("solver/incompatible-rhs",
                    fmt::format("the right-hand side has the mean {:.3g}, which no boundary "
                                "compensates: it was removed",
                                report.rhs_mean),
                    "make it add up to 0 with the fluxes through the sides, or fix the solution "
                    "somewhere")};
    return {};
}

BufferElements poisson_status_elements() {
    const auto& report = BufferElements::of<PoissonReport>();
    return {report.name(),
            {report.members().begin(), report.members().end()},
            kPoissonStatusWords * sizeof(std::uint32_t)};
}

} // namespace tuff::passes
