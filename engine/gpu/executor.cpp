#include "gpu/executor_impl.hpp"
#include "gpu/readback.hpp"
#include "gpu/timings.hpp"

#include <tuff/vulkan.hpp>

#include <fmt/format.h>

namespace tuff {
namespace {

/// Index of the import called `name`, of the right kind.
Result<std::uint32_t> find_import(const Plan& plan, std::string_view name, bool image) {
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < plan.graph.resources.size(); ++i) {
        const ResourceDesc& resource = plan.graph.resources[i];
        if (resource.lifetime != Lifetime::imported || resource.is_image() != image) continue;
        names.emplace_back(plan.graph.name_of(ResourceId{i}));
        if (names.back() == name) return i;
    }
    const std::string_view nearest = nearest_name(name, names);
    return fail("gpu/unknown-import",
                fmt::format("the graph imports no {} \"{}\"", image ? "image" : "buffer", name),
                nearest.empty() ? "" : fmt::format("did you mean \"{}\"?", nearest));
}

Result<void> bind(ExecutorImpl& executor, std::string_view name, const ResourceHandle& handle) {
    const auto index = find_import(*executor.plan, name, handle.image != VK_NULL_HANDLE);
    if (!index) return std::unexpected(index.error());
    ResourceHandle& current = executor.imports[*index];
    if (current == handle) return {};
    current = handle;
    ++executor.import_generation;
    return {};
}

} // namespace

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
    if (parameters.size() != impl_->parameters.size())
        return fail("gpu/parameter-size",
                    fmt::format("the plan takes {} parameter bytes but {} were given",
                                impl_->parameters.size(), parameters.size()),
                    "a graph of another structure needs a plan of its own");
    impl_->set_parameters(parameters);
    return {};
}

Result<HostImage> Executor::read_image(std::string_view output, std::uint32_t mip,
                                       std::uint32_t layer) {
    return tuff::read_image(*impl_, output, mip, layer);
}

Result<std::vector<std::byte>> Executor::read_buffer(std::string_view output) {
    return tuff::read_buffer(*impl_, output);
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

ExecutorMemory Executor::memory() const {
    ExecutorMemory result = impl_->resources.bytes();
    for (const FrameSlot& slot : impl_->slots)
        result.host += slot.parameters.bytes.size() + slot.uploads.bytes.size();
    return result;
}

std::uint64_t Executor::recordings() const {
    return impl_->recordings;
}

Result<void> bind_import(Executor& executor, std::string_view name, VkImage image) {
    return bind(executor.impl(), name, {.image = image});
}

Result<void> bind_import(Executor& executor, std::string_view name, VkBuffer buffer) {
    return bind(executor.impl(), name, {.buffer = buffer});
}

} // namespace tuff
