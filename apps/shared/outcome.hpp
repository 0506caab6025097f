#pragma once

#include <tuff/diagnostic.hpp>

#include <expected>
#include <utility>

namespace tuff::cli {

/// Exit codes of the program.
inline constexpr int kExitOk = 0;
inline constexpr int kExitRunFailed = 1; ///< device, files
inline constexpr int kExitUsage = 2;     ///< command line, config, and all that a config names

/// Why a command failed, and what the shell is told.
struct Failure {
    Diagnostics diagnostics;
    int exit_code = kExitRunFailed;
};

template <typename T>
using Outcome = std::expected<T, Failure>;

/// The failure of something that the user wrote: a config, an option.
inline std::unexpected<Failure> usage_failure(Diagnostics diagnostics) {
    return std::unexpected(Failure{std::move(diagnostics), kExitUsage});
}

/// The failure of something that was fine as written: the device, the disk.
inline std::unexpected<Failure> run_failure(Diagnostics diagnostics) {
    return std::unexpected(Failure{std::move(diagnostics), kExitRunFailed});
}

template <typename T>
std::unexpected<Failure> pass_on(Outcome<T>&& failed) {
    return std::unexpected(std::move(failed.error()));
}

} // namespace tuff::cli
