#pragma once

#include "passes/fluid/field.hpp"

#include <tuff/diagnostic.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace tuff::passes {

/// Words of `FluidStats::numbers`, each of which is an f32. Counts above 2^24 are rounded.
enum class FluidNumber : std::uint8_t {
    speed,         ///< greatest component of a velocity, cells / time unit
    least_density, ///< that at rest is 1
    greatest_density,
    mass,       ///< sum of density - 1
    energy,     ///< sum of density / 2 times the speed squared
    divergence, ///< root of its mean square, 1 / time unit
    curl,       ///< likewise, of its length
    mach,       ///< the speed relative to that of sound; 0 where the fluid has none
    cells,      ///< that the other numbers are of: neither solid nor left out
    not_finite, ///< cells that are left out
};
inline constexpr std::uint32_t kFluidNumbers = 10;

/// What a flow is like, once it is on the host.
struct FluidReport {
    float speed = 0.0f;
    float least_density = 1.0f;
    float greatest_density = 1.0f;
    float mass = 0.0f;
    float energy = 0.0f;
    float divergence = 0.0f;
    float curl = 0.0f;
    float mach = 0.0f;
    std::uint32_t cells = 0;
    std::uint32_t not_finite = 0;

    /// Of at least kFluidNumbers words.
    static FluidReport read(std::span<const std::uint32_t> words);
    /// fluid/mach above half the speed of sound, fluid/diverged where cells are not finite.
    Diagnostics warnings() const;
};

/// What a flow is like, in numbers. See `describe`.
struct FluidStats {
    static constexpr std::string_view kName = "fluid/stats";

    FluidField field;
    std::uint32_t kept = 1;
    Buffer numbers; ///< `FluidNumber`
    Buffer speeds;
    Buffer masses;
    Buffer energies;
    Buffer divergences;
    Buffer curls;

    static void describe(PassInfo<FluidStats>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
