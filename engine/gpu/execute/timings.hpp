#pragma once

#include "gpu/execute/executor_impl.hpp"

namespace tuff {

/// The timestamps of the last finished execution as milliseconds.
ExecutionTimings read_timings(const ExecutorImpl& executor);

/// Those of all finished executions whose timestamps are still there, oldest first.
std::vector<ExecutionTimings> read_recent_timings(const ExecutorImpl& executor);

/// An execution of a slot that has ended, for a timeline.
TracedExecution traced_execution(const ExecutorImpl& executor, const FrameSlot& slot);

} // namespace tuff
