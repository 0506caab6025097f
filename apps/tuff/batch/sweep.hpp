#pragma once

#include "apps/shared/outcome.hpp"

#include <tuff/config.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tuff::cli {

/// The most runs that a command makes.
inline constexpr std::uint64_t kMaxRuns = 10'000;

/// A parameter of a sweep and the values that it takes, as --set takes them.
struct SweepAxis {
    std::string parameter; ///< "sigma", "post/blur.sigma"
    std::vector<std::string> values;
};

/// What one run of a sweep has set, in the order of the axes.
struct Setting {
    std::string parameter;
    std::string value;

    friend bool operator==(const Setting&, const Setting&) = default;
};
using Settings = std::vector<Setting>;

/// Reads "sigma=1,2,4" and "sigma=0:1:5", five values from 0 to 1, one text an axis. Commas in
/// brackets and quotes part nothing. Errors: cli/bad-sweep, cli/too-many-runs; all are reported.
Outcome<std::vector<SweepAxis>> parse_sweeps(const std::vector<std::string>& texts);

/// Errors of values that `config` does not take, each in its place on the command line.
Outcome<void> check_values(const Config& config, const std::vector<SweepAxis>& axes);

/// Every combination; the last axis changes fastest. Of no axis: one run with no settings.
std::vector<Settings> grid_of(const std::vector<SweepAxis>& axes);

/// What to call a run, fit for a file name: "sigma=1,exposure=0.5"; empty for no settings.
std::string run_name(const Settings& settings, std::uint64_t number);

/// Where a run writes what would go to `file` without a sweep. "{sigma}" stands for the value;
/// a name without any goes into a folder called `run`: below the folders that the name has, or,
/// where they are the config's, above them. Error, of braces that name no parameter of the sweep:
/// cli/bad-sweep.
enum class RunFolder : std::uint8_t { last, first };
Outcome<std::string> file_of_run(const std::string& file, const Settings& settings,
                                 const std::string& run, RunFolder folder);

} // namespace tuff::cli
