#pragma once

#include <tuff/executor.hpp>

#include <json/value.h>

namespace tuff::cli {

/// How long an execution took as `tuff run --timings --json` has it: docs/json_output.md.
Json::Value timing_json(const ExecutionTimings& timings);

} // namespace tuff::cli
