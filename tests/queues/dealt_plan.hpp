#pragma once

#include <tuff/plan.hpp>

#include <span>

namespace tuff::testing_gpu {

/// Deals the levels of a plan for one queue out to `queues` in turn, whatever the sense of it. A
/// level that a queue cannot run goes to the main one. Every change of queue begins a submission
/// that waits for the one before, all barriers become full ones, and all resources are shared.
Plan dealt_out(Plan plan, std::span<const Queue> queues);

/// Lets transient images that are alike, and whose lives do not meet, be one object. For plans
/// whose memory is not shared and that have a full barrier before every level.
Plan with_shared_objects(Plan plan);

} // namespace tuff::testing_gpu
