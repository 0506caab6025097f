#pragma once

#include "core/text_table.hpp"

#include <tuff/executor.hpp>

#include <json/value.h>

#include <cstdint>
#include <string>
#include <vector>

/// How long the nodes of a run took on each of the ranks that made it together.
namespace tuff::cli {

/// "model[*]/halo" for "model[7]/halo".
std::string without_iterations(const std::string& name);

/// A node of one execution, or all nodes of a loop that differ in their iteration alone.
struct NodeTotal {
    std::string name; ///< "model[*]/halo/pack" for those of a loop
    Queue queue = Queue::graphics;
    std::uint32_t times = 1; ///< nodes that are summed up
    bool once = false;       ///< constant work
    double milliseconds = 0.0;
    double waited = 0.0; ///< milliseconds that the host waited for the device
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_written = 0;
};

/// An execution on one rank.
struct RankTimings {
    double milliseconds = 0.0;    ///< of the whole; 0: the device has no timestamps
    std::vector<NodeTotal> nodes; ///< in the plan's order
};

RankTimings totals_of(const ExecutionTimings& timings);

Json::Value to_json(const RankTimings& timings);
RankTimings rank_timings_of(const Json::Value& json);

/// For each node the least, the mean and the greatest of the ranks that have it, in milliseconds,
/// and the slowest rank; most time first. Nodes of the host follow with what they wait and move.
std::string rank_timing_table(const std::vector<RankTimings>& ranks, const TextStyle& style);

} // namespace tuff::cli
