#pragma once

#include "apps/shared/common.hpp"
#include "apps/tuff/batch/planned_runs.hpp"

#include <tuff/device.hpp>

#include <optional>
#include <vector>

namespace tuff::cli {

/// What a rank has prepared.
struct RankWork {
    std::optional<OpenedConfig> config;
    std::vector<PlannedRun> planned; ///< all runs, as every rank plans them
    std::vector<PlannedRun> to_do;   ///< rank 0: those to be made, or their parts
    std::vector<PlannedRun> parts;   ///< rank 0: of the only run, finished ones among them
    std::optional<Device> device;
    bool has_history = false;
    bool divides_domain = false; ///< all ranks make the only run together
};

} // namespace tuff::cli
