// Words for what a plan gives to several queues, and for what resources share.

#include "graph/explain/describe.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff {
namespace {

std::string end_of(const Plan& plan, std::span<const SubmissionLevels> levels,
                   std::uint32_t submission) {
    const std::string queue =
        fmt::format("the {} queue", name_of(plan.submissions[submission].queue));
    if (levels[submission].levels.empty()) return queue;
    return fmt::format("{}, after level {}", queue, levels[submission].levels.back());
}

} // namespace

std::string_view name_of(Queue queue) {
    switch (queue) {
    case Queue::graphics: return "graphics";
    case Queue::compute: return "compute";
    case Queue::transfer: return "transfer";
    case Queue::host: return "host";
    }
    return "unknown";
}

std::vector<SubmissionLevels> submission_levels(const Plan& plan) {
    std::vector<SubmissionLevels> result(std::max<std::size_t>(plan.submissions.size(), 1));
    for (std::uint32_t i = 0; i < plan.levels.size(); ++i)
        if (plan.levels[i].submission < result.size())
            result[plan.levels[i].submission].levels.push_back(i);
    return result;
}

std::vector<std::string> wait_texts(const Plan& plan, std::uint32_t index) {
    std::vector<std::string> texts;
    if (index >= plan.submissions.size()) return texts;
    const Submission& submission = plan.submissions[index];
    const auto first = std::ranges::find(plan.submissions, submission.queue, &Submission::queue);
    if (submission.queue != Queue::graphics && first == plan.submissions.begin() + index)
        texts.push_back("the end of the execution before");
    const auto levels = submission_levels(plan);
    for (std::uint32_t i = 0; i < submission.wait_count; ++i)
        texts.push_back(end_of(plan, levels, plan.waits[submission.first_wait + i]));
    return texts;
}

std::string object_text(const Plan& plan, ResourceId resource) {
    if (resource.index >= plan.allocations.size()) return {};
    const ResourceId object = plan.allocations[resource.index].object;
    if (!object || object == resource) return {};
    return fmt::format("reuses the {} of {}",
                       plan.graph.resources[resource.index].is_image() ? "image" : "buffer",
                       plan.graph.name_of(object));
}

} // namespace tuff
