#include "gpu/execute/executor_impl.hpp"
#include "gpu/execute/timings.hpp"
#include "gpu/memory/readback.hpp"

#include <fmt/format.h>

namespace tuff {

Executor::Executor(std::unique_ptr<ExecutorImpl> impl) : impl_(std::move(impl)) {}
Executor::Executor(Executor&&) noexcept = default;
Executor& Executor::operator=(Executor&&) noexcept = default;
Executor::~Executor() = default;

Result<Executor> Executor::create(Device& device, const ShaderLibrary& shaders,
                                  std::shared_ptr<const Plan> plan, ExecutorOptions options) {
    auto impl = std::make_unique<ExecutorImpl>();
    impl->device = &device.impl();
    impl->plan = std::move(plan);
    impl->options = options;
    if (auto ok = impl->create(shaders); !ok) return propagate(std::move(ok));
    return Executor(std::move(impl));
}

const Plan& Executor::plan() const {
    return *impl_->plan;
}

Result<void> Executor::execute() {
    return impl_->execute();
}

Result<void> Executor::wait() {
    return impl_->wait_for(impl_->submitted);
}

Result<void> Executor::set_parameters(std::span<const std::byte> parameters) {
    const std::size_t expected = impl_->plan->graph.parameters.size();
    if (parameters.size() != expected)
        return fail("gpu/parameter-size",
                    fmt::format("the plan takes {} parameter bytes but {} were given", expected,
                                parameters.size()),
                    "a graph of another structure needs a plan of its own");
    impl_->set_parameters(parameters);
    return {};
}

void Executor::set_uploads(const GraphDesc& graph) {
    impl_->uploads = impl_->upload_layout.contents(graph);
}

Result<HostImage> Executor::read_image(std::string_view output, std::uint32_t mip,
                                       std::uint32_t layer) {
    return tuff::read_image(*impl_, output, mip, layer);
}

Result<std::vector<std::byte>> Executor::read_buffer(std::string_view output) {
    return tuff::read_buffer(*impl_, output);
}

Result<Diagnostics> Executor::warnings() {
    return read_warnings(*impl_);
}

Result<PoolSizes> Executor::pool_needs() {
    return impl_->pool_needs();
}

ExecutionTimings Executor::timings() const {
    return read_timings(*impl_);
}

std::vector<ExecutionTimings> Executor::recent_timings() const {
    return read_recent_timings(*impl_);
}

Result<void> Executor::reset_history() {
    if (auto ok = wait(); !ok) return ok;
    impl_->rotation = 0;
    return impl_->resources.clear_history(*impl_->one_off, *impl_->plan);
}

const std::vector<HistoryInfo>& Executor::histories() const {
    return impl_->histories;
}

Result<std::vector<std::byte>> Executor::read_history(std::size_t history) {
    return impl_->read_history(history);
}

Result<void> Executor::write_history(std::size_t history, std::span<const std::byte> contents) {
    return impl_->write_history(history, contents);
}

void Executor::step_back() {
    // All phases but one further, so that the count never falls to "not executed".
    impl_->rotation += impl_->resources.phases() - 1;
}

ExecutorMemory Executor::memory() const {
    ExecutorMemory result = impl_->resources.bytes();
    for (const FrameSlot& slot : impl_->slots)
        result.host += slot.parameters.memory.bytes.size() + slot.uploads.bytes.size() +
                       slot.pool_statuses.bytes.size() + slot.marks.bytes.size();
    if (const ExecutorImpl* const setup = impl_->setup.get()) {
        const ExecutorMemory other = setup->resources.bytes();
        result.setup = other.transient;
        result.constant += other.constant;
        for (const FrameSlot& slot : setup->slots)
            result.host += slot.parameters.memory.bytes.size();
    }
    return result;
}

Result<void> Executor::set_timings(Timings timings) {
    return impl_->set_timings(timings);
}

std::uint64_t Executor::recordings() const {
    return impl_->recordings;
}

} // namespace tuff
