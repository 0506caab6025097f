#pragma once

#include "apps/tuff/batch/planned_runs.hpp"

#include <tuff/device_caps.hpp>

#include <json/value.h>

namespace tuff::cli {

/// The device of a run, for --json.
Json::Value device_json(const DeviceCaps& caps);
/// A run without its files, as JSON.
Json::Value run_json(const PlannedRun& run, bool finished);

} // namespace tuff::cli
