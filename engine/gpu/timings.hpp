#pragma once

#include "gpu/executor_impl.hpp"

namespace tuff {

/// The timestamps of the last finished execution as milliseconds.
ExecutionTimings read_timings(const ExecutorImpl& executor);

} // namespace tuff
