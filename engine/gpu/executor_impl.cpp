#include "gpu/executor_impl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tuff {

ExecutorImpl::~ExecutorImpl() {
    // An error here is a lost device, whose work has ended too.
    if (timeline) (void)wait_for(submitted);
}

Result<void> ExecutorImpl::create(const ShaderLibrary& shaders) {
    const GraphDesc& graph = plan->graph;
    parameters = graph.parameters;
    kernels = kernel_nodes(*plan);
    create_segments();

    auto made_resources = PlanResources::create(*device, *plan);
    if (!made_resources) return propagate(std::move(made_resources));
    resources = std::move(*made_resources);
    auto made_pipelines = Pipelines::create(*device, shaders, *plan, kernels);
    if (!made_pipelines) return propagate(std::move(made_pipelines));
    pipelines = std::move(*made_pipelines);
    parameter_layout = ParameterLayout(*device, *plan, kernels);
    upload_layout = UploadLayout(*plan);

    const std::uint32_t slot_count = std::max(options.frames_in_flight, 1u);
    auto made_sets =
        DescriptorSets::create(*device, *plan, kernels, pipelines, slot_count, resources.phases());
    if (!made_sets) return propagate(std::move(made_sets));
    descriptors = std::move(*made_sets);

    if (auto ok = create_timeline(); !ok) return ok;
    imports.resize(graph.resources.size());
    slots = std::vector<FrameSlot>(slot_count);
    for (std::uint32_t i = 0; i < slot_count; ++i) {
        if (auto ok = create_slot(slots[i]); !ok) return ok;
        auto ok = write_descriptors(i, DescriptorSets::Which::without_imports);
        if (!ok) return ok;
    }
    auto made_one_off = OneOff::create(*device);
    if (!made_one_off) return propagate(std::move(made_one_off));
    one_off = std::move(*made_one_off);
    return resources.clear_history(*one_off, *plan);
}

void ExecutorImpl::set_parameters(std::span<const std::byte> bytes) {
    if (bytes.empty() || std::memcmp(bytes.data(), parameters.data(), bytes.size()) == 0) return;
    parameter_layout.for_differing_pushes(
        bytes, parameters, [&](std::uint32_t kernel) { ++generations[segment_of_kernel[kernel]]; });
    std::ranges::copy(bytes, parameters.begin());
    ++parameter_generation;
}

Result<void> ExecutorImpl::create_timeline() {
    VkSemaphoreTypeCreateInfo type{};
    type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
    info.pNext = &type;
    VkSemaphore handle = VK_NULL_HANDLE;
    auto ok = check(device->vk.vkCreateSemaphore(device->handle, &info, nullptr, &handle),
                    "vkCreateSemaphore");
    if (ok) timeline = OwnedSemaphore(*device, handle);
    return ok;
}

Result<void> ExecutorImpl::create_slot(FrameSlot& slot) {
    if (auto ok = create_commands(slot); !ok) return ok;
    if (parameter_layout.bytes() != 0) {
        auto buffer = create_host_buffer(*device, parameter_layout.bytes(),
                                         VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, HostUse::write);
        if (!buffer) return propagate(std::move(buffer));
        slot.parameters = std::move(*buffer);
    }
    if (upload_layout.bytes() != 0) {
        auto buffer = create_host_buffer(*device, upload_layout.bytes(),
                                         VK_BUFFER_USAGE_TRANSFER_SRC_BIT, HostUse::write);
        if (!buffer) return propagate(std::move(buffer));
        slot.uploads = std::move(*buffer);
    }
    slot.imports.resize(plan->graph.resources.size());
    return create_queries(slot);
}

Result<void> ExecutorImpl::write_descriptors(std::uint32_t slot, DescriptorSets::Which which) {
    const BoundResources sources = bound(slots[slot]);
    return descriptors.write(*device, *plan, kernels, slot, which,
                             {.resources = &sources,
                              .samplers = &samplers,
                              .parameters = &parameter_layout,
                              .parameter_buffer = slots[slot].parameters.buffer.get()});
}

/// Also where no node uses an import may a barrier take it into its last state.
bool ExecutorImpl::needs_import(ResourceId import) const {
    return plan->usages[import.index] != 0 ||
           std::ranges::find(plan->image_barriers, import, &ImageBarrier::resource) !=
               plan->image_barriers.end();
}

Result<void> ExecutorImpl::refresh_imports(std::uint32_t index) {
    FrameSlot& slot = slots[index];
    if (slot.import_generation == import_generation) return {};
    for (std::uint32_t i = 0; i < imports.size(); ++i) {
        const ResourceDesc& resource = plan->graph.resources[i];
        if (resource.lifetime != Lifetime::imported || !needs_import({i})) continue;
        const bool given = resource.is_image() ? imports[i].image != VK_NULL_HANDLE
                                               : imports[i].buffer != VK_NULL_HANDLE;
        if (!given)
            return fail(
                "gpu/import-missing",
                fmt::format("import \"{}\" has not been bound", plan->graph.name_of(ResourceId{i})),
                "call bind_import before the execution");
    }
    slot.imports = imports;
    slot.import_views.clear();
    std::ranges::fill(slot.generations, 0);
    auto ok = write_descriptors(index, DescriptorSets::Which::with_imports);
    if (ok) slot.import_generation = import_generation;
    return ok;
}

Result<void> ExecutorImpl::execute() {
    const auto index = static_cast<std::uint32_t>(submitted % slots.size());
    const auto phase = static_cast<std::uint32_t>(rotation % resources.phases());
    FrameSlot& slot = slots[index];
    if (auto ok = wait_for(slot.execution); !ok) return ok;
    if (auto ok = refresh_imports(index); !ok) return ok;
    if (slot.parameter_generation != parameter_generation) {
        parameter_layout.write(parameters, slot.parameters.bytes);
        slot.parameter_generation = parameter_generation;
    }
    upload_layout.write(*plan, slot.uploads.bytes);
    if (auto ok = record(index, phase); !ok) return ok;
    if (auto ok = submit(slot, phase); !ok) return ok;
    slot.execution = ++submitted;
    ++rotation;
    return {};
}

Result<void> ExecutorImpl::submit(const FrameSlot& slot, std::uint32_t phase) {
    VkSemaphoreSubmitInfo signal{};
    signal.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
    signal.semaphore = timeline.get();
    signal.value = submitted + 1;
    signal.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    VkSubmitInfo2 info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2;
    info.commandBufferInfoCount = static_cast<std::uint32_t>(segments.size());
    info.pCommandBufferInfos = &slot.commands[command_index(phase, 0)];
    info.signalSemaphoreInfoCount = 1;
    info.pSignalSemaphoreInfos = &signal;
    const std::lock_guard lock(device->graphics->mutex);
    return check(device->vk.vkQueueSubmit2(device->graphics->handle, 1, &info, VK_NULL_HANDLE),
                 "vkQueueSubmit2");
}

Result<void> ExecutorImpl::wait_for(std::uint64_t execution) const {
    if (execution == 0) return {};
    const VkSemaphore semaphore = timeline.get();
    VkSemaphoreWaitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore;
    info.pValues = &execution;
    return check(device->vk.vkWaitSemaphores(device->handle, &info, UINT64_MAX),
                 "vkWaitSemaphores");
}

} // namespace tuff
