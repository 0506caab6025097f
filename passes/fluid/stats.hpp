#pragma once

#include "passes/fluid/field.hpp"

#include <tuff/diagnostic.hpp>
#include <tuff/shared_struct.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tuff::passes {

/// Measurements of a flow: the words of `FluidStats::numbers`.
struct FluidReport {
    float speed = 0.0f;         ///< largest component of a velocity, cells / time unit
    float least_density = 1.0f; ///< 1 is rest
    float greatest_density = 1.0f;
    float mass = 0.0f;       ///< sum of density - 1
    float energy = 0.0f;     ///< sum of density / 2 times the squared speed
    float divergence = 0.0f; ///< root mean square, 1 / time unit
    float curl = 0.0f;       ///< root mean square of its length, 1 / time unit
    float mach = 0.0f;       ///< speed divided by the speed of sound; 0 if the fluid has none
    // Integers; above 2^24 they are rounded.
    float cells = 0.0f;      ///< cells that the other numbers count: neither solid nor left out
    float not_finite = 0.0f; ///< cells that are left out

    static constexpr std::string_view kStructName = "FluidReport";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(FluidReport, speed),
                          TUFF_MEMBER(FluidReport, least_density),
                          TUFF_MEMBER(FluidReport, greatest_density),
                          TUFF_MEMBER(FluidReport, mass),
                          TUFF_MEMBER(FluidReport, energy),
                          TUFF_MEMBER(FluidReport, divergence),
                          TUFF_MEMBER(FluidReport, curl),
                          TUFF_MEMBER(FluidReport, mach),
                          TUFF_MEMBER(FluidReport, cells),
                          TUFF_MEMBER(FluidReport, not_finite)};
    }
    static FluidReport read(std::span<const std::uint32_t> words);
    /// Reports fluid/mach above half the speed of sound, and fluid/diverged if cells are not
    /// finite.
    Diagnostics warnings() const;
};

inline constexpr std::uint32_t kFluidNumbers = sizeof(FluidReport) / sizeof(float);

/// Measures a flow. See `describe`.
struct FluidStats {
    static constexpr std::string_view kName = "fluid/stats";

    FluidField field;
    std::uint32_t kept = 1;
    Buffer numbers; ///< `FluidReport`
    Buffer speeds;
    Buffer masses;
    Buffer energies;
    Buffer divergences;
    Buffer curls;

    static void describe(PassInfo<FluidStats>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
