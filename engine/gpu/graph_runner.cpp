#include <tuff/graph_runner.hpp>

#include <utility>

namespace tuff {

GraphRunner::GraphRunner(Device& device, GraphRunnerOptions options)
    : device_(&device), memory_(memory_model(device)), options_(std::move(options)) {
    if (!options_.compile.memory) options_.compile.memory = memory_.get();
}

Result<void> GraphRunner::take(GraphDesc graph, const ShaderLibrary& shaders) {
    if (executor_ && same_structure(plan_->graph, graph))
        return executor_->set_parameters(graph.parameters);
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

} // namespace tuff
