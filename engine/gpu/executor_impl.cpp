#include "gpu/executor_impl.hpp"

#include "gpu/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff {

ExecutorImpl::~ExecutorImpl() {
    // An error here is a lost device, whose work has ended too.
    if (timeline) (void)wait_for(submitted);
}

Result<void> ExecutorImpl::create(const ShaderLibrary& shaders) {
    const GraphDesc& graph = plan->graph;
    parameters = graph.parameters;
    kernels = kernel_nodes(*plan);
    has_custom_nodes = std::ranges::any_of(plan->order, [&](NodeId node) {
        return std::holds_alternative<CustomNode>(payload_of(graph, node));
    });

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
    slots.resize(slot_count);
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
    VkCommandPoolCreateInfo pool_info{};
    pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool_info.queueFamilyIndex = device->graphics->family;
    VkCommandPool pool = VK_NULL_HANDLE;
    auto ok = check(device->vk.vkCreateCommandPool(device->handle, &pool_info, nullptr, &pool),
                    "vkCreateCommandPool");
    if (!ok) return ok;
    slot.pool = OwnedCommandPool(*device, pool);
    for (std::uint32_t phase = 0; phase < resources.phases(); ++phase) {
        VkCommandBufferAllocateInfo allocate{};
        allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
        allocate.commandPool = pool;
        allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        allocate.commandBufferCount = 1;
        FrameSlot::Commands commands;
        ok = check(device->vk.vkAllocateCommandBuffers(device->handle, &allocate, &commands.handle),
                   "vkAllocateCommandBuffers");
        if (!ok) return ok;
        slot.commands.push_back(commands);
    }
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
    if (!options.timings || device->caps.timestamp_period_ns <= 0.0) return {};
    VkQueryPoolCreateInfo query_info{};
    query_info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
    query_info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    query_info.queryCount = timestamp_count(*plan);
    VkQueryPool queries = VK_NULL_HANDLE;
    ok = check(device->vk.vkCreateQueryPool(device->handle, &query_info, nullptr, &queries),
               "vkCreateQueryPool");
    if (ok) slot.queries = OwnedQueryPool(*device, queries);
    return ok;
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
    for (FrameSlot::Commands& commands : slot.commands)
        commands.generation = 0;
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
    if (has_custom_nodes || slot.commands[phase].generation != generation)
        if (auto ok = record(index, phase); !ok) return ok;
    if (auto ok = submit(slot, phase); !ok) return ok;
    slot.execution = ++submitted;
    ++rotation;
    return {};
}

Result<void> ExecutorImpl::record(std::uint32_t index, std::uint32_t phase) {
    FrameSlot& slot = slots[index];
    FrameSlot::Commands& commands = slot.commands[phase];
    commands.generation = 0;
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    auto ok =
        check(device->vk.vkBeginCommandBuffer(commands.handle, &begin), "vkBeginCommandBuffer");
    if (!ok) return ok;
    const BoundResources bound_resources = bound(slot);
    const RecordSources sources{.device = device,
                                .plan = plan.get(),
                                .kernels = &kernels,
                                .pipelines = &pipelines,
                                .descriptors = &descriptors,
                                .resources = &bound_resources,
                                .uploads = &upload_layout,
                                .upload_buffer = slot.uploads.buffer.get(),
                                .parameters = parameters,
                                .queries = slot.queries.get(),
                                .slot = index,
                                .phase = phase};
    auto recorded = Recorder(sources, commands.handle).record();
    ok = check(device->vk.vkEndCommandBuffer(commands.handle), "vkEndCommandBuffer");
    if (!recorded) return recorded;
    if (!ok) return ok;
    commands.generation = generation;
    ++recordings;
    return {};
}

Result<void> ExecutorImpl::submit(const FrameSlot& slot, std::uint32_t phase) {
    VkCommandBufferSubmitInfo buffer{};
    buffer.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO;
    buffer.commandBuffer = slot.commands[phase].handle;
    VkSemaphoreSubmitInfo signal{};
    signal.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
    signal.semaphore = timeline.get();
    signal.value = submitted + 1;
    signal.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    VkSubmitInfo2 info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2;
    info.commandBufferInfoCount = 1;
    info.pCommandBufferInfos = &buffer;
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
