#pragma once

#include "apps/shared/arguments.hpp"
#include "apps/shared/outcome.hpp"

#include <cstdint>
#include <functional>
#include <optional>

/// What a config from a stranger may use of the machine. What it may read and write is asked where
/// that happens: ConfigOptions::confined_to, and output_paths.hpp for writing.
namespace tuff::cli {

/// --confine, --max-memory and --max-time.
struct ConfinementFlags {
    bool confine = false;
    std::optional<std::uint64_t> max_memory; ///< bytes
    double max_time = 0.0;                   ///< seconds; 0: not given

    /// None: no limit. --confine brings its own.
    std::optional<std::uint64_t> memory_limit() const;
    std::optional<double> time_limit() const;
};

void add_confinement_flags(Command& command, ConfinementFlags& flags);

/// Does `work` within the limits. With one it runs in a process of its own, together with all that
/// this program does afterwards; the caller gets the outcome and has nothing more to report. To be
/// called before there are threads. Errors: cli/too-much-memory, cli/too-long, cli/crashed.
Outcome<void> within_limits(const ConfinementFlags& flags,
                            const std::function<Outcome<void>()>& work);

} // namespace tuff::cli
