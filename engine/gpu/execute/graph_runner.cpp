#include <tuff/graph_runner.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tuff {

GraphRunner::GraphRunner(Device& device, GraphRunnerOptions options)
    : device_(&device), memory_(memory_model(device)), options_(std::move(options)) {
    if (!options_.compile.memory) options_.compile.memory = memory_.get();
}

Result<void> GraphRunner::take(GraphDesc graph, const ShaderLibrary& shaders) {
    if (executor_ && same_structure(plan_->graph, graph)) {
        executor_->set_uploads(graph);
        return executor_->set_parameters(graph.parameters);
    }
    auto compiled = compile(std::move(graph), device_->caps(), options_.compile);
    if (!compiled) return propagate(std::move(compiled));
    auto plan = std::make_shared<const Plan>(std::move(*compiled));
    if (!options_.keep_until_replaced) executor_.reset(); // its memory goes before the new one's
    auto made = Executor::create(*device_, shaders, plan, options_.execution);
    if (!made) return propagate(std::move(made));
    executor_.emplace(std::move(*made));
    plan_ = std::move(plan);
    ++compilations_;
    return {};
}

Result<Diagnostics> GraphRunner::grow_pools() {
    Diagnostics told;
    const auto remembers = [](const ResourceDesc& resource) {
        return resource.lifetime == Lifetime::history;
    };
    if (!executor_) return told;
    auto needs = executor_->pool_needs();
    if (!needs) return propagate(std::move(needs));
    if (needs->empty() || std::ranges::any_of(plan_->graph.resources, remembers)) return told;
    for (const auto& [pool, elements] : *needs) {
        std::uint64_t& room = pools_[pool];
        if (elements <= room) continue; // it has that already, or can have no more
        room = elements + elements / 4;
        told.push_back(
            {.code = "graph/pool-grown",
             .severity = Severity::warning,
             .message = fmt::format("{}: there is room for {} from now on, or as many as "
                                    "a buffer holds, because {} were needed",
                                    pool, room, elements),
             .where = {},
             .hint = "give the pass that room, and no execution will lack it"});
    }
    return told;
}

} // namespace tuff
