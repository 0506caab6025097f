#pragma once

#include <tuff/executor.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace tuff::viewer {

/// How long the nodes of a graph took in its last executions. The first execution of a graph counts
/// only as long as it is the only one: drivers compile kernels in it.
class TimeLog {
  public:
    /// As many executions are remembered.
    static constexpr std::size_t kMax = 240;

    /// Takes the times of an execution, once. `compilation`: counts the graphs that were compiled;
    /// with another one the log begins again.
    void add(const ExecutionTimings& timings, std::uint64_t compilation);

    /// How many executions the means are over.
    std::size_t count() const { return samples_.size(); }
    /// The first execution of the graph is all there is.
    bool first_only() const { return first_only_; }
    /// Goes up whenever the log begins again.
    std::uint64_t generation() const { return generation_; }
    /// By node, in the plan's order.
    const std::vector<std::string>& names() const { return names_; }
    /// Milliseconds of an execution, and of some of its nodes together, on average. Nodes that it
    /// does not have, as those of a newer graph, count nothing.
    double mean() const;
    double mean(std::span<const std::size_t> nodes) const;
    /// The same in each execution, the oldest first.
    std::vector<float> series() const;
    std::vector<float> series(std::span<const std::size_t> nodes) const;

  private:
    struct Sample {
        double total = 0.0;
        std::vector<double> nodes;
    };
    static double sum(const Sample& sample, std::span<const std::size_t> nodes);
    std::vector<std::string> names_;
    std::deque<Sample> samples_;
    std::uint64_t compilation_ = 0, execution_ = 0, generation_ = 0;
    bool first_only_ = false;
};

} // namespace tuff::viewer
