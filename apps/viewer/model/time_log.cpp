#include "model/time_log.hpp"

#include <algorithm>

namespace tuff::viewer {

void TimeLog::add(const ExecutionTimings& timings, std::uint64_t compilation) {
    if (timings.execution == 0 || timings.nodes.empty()) return;
    const auto same_name = [](const NodeTiming& node, const std::string& name) {
        return node.name == name;
    };
    const bool other = compilation != compilation_ || timings.execution < execution_ ||
                       !std::ranges::equal(timings.nodes, names_, same_name);
    if (!other && timings.execution == execution_) return;
    if (other) {
        samples_.clear();
        names_.clear();
        ++generation_;
        for (const NodeTiming& node : timings.nodes)
            names_.push_back(node.name);
    } else if (first_only_) {
        samples_.clear();
    }
    first_only_ = other;
    compilation_ = compilation;
    execution_ = timings.execution;
    Sample sample{.total = timings.milliseconds, .nodes = {}};
    for (const NodeTiming& node : timings.nodes)
        sample.nodes.push_back(node.milliseconds);
    samples_.push_back(std::move(sample));
    if (samples_.size() > kMax) samples_.pop_front();
}

double TimeLog::mean() const {
    double sum = 0.0;
    for (const Sample& sample : samples_)
        sum += sample.total;
    return samples_.empty() ? 0.0 : sum / static_cast<double>(samples_.size());
}

double TimeLog::sum(const Sample& sample, std::span<const std::size_t> nodes) {
    double sum = 0.0;
    for (const std::size_t node : nodes)
        if (node < sample.nodes.size()) sum += sample.nodes[node];
    return sum;
}

double TimeLog::mean(std::span<const std::size_t> nodes) const {
    double all = 0.0;
    for (const Sample& sample : samples_)
        all += sum(sample, nodes);
    return samples_.empty() ? 0.0 : all / static_cast<double>(samples_.size());
}

std::vector<float> TimeLog::series() const {
    std::vector<float> values;
    for (const Sample& sample : samples_)
        values.push_back(static_cast<float>(sample.total));
    return values;
}

std::vector<float> TimeLog::series(std::span<const std::size_t> nodes) const {
    std::vector<float> values;
    for (const Sample& sample : samples_)
        values.push_back(static_cast<float>(sum(sample, nodes)));
    return values;
}

} // namespace tuff::viewer
