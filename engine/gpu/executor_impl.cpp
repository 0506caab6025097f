#include "gpu/executor_impl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tuff {

ExecutorImpl::~ExecutorImpl() {
    // An error here is a lost device, whose work has ended too.
    if (!submitter) return;
    (void)wait_for(submitted);
    submitter.settle();
}

Result<void> ExecutorImpl::create(const ShaderLibrary& shaders) {
    const GraphDesc& graph = plan->graph;
    parameters = graph.parameters;
    auto made_submitter = Submitter::create(*device, *plan);
    if (!made_submitter) return propagate(std::move(made_submitter));
    submitter = std::move(*made_submitter);
    kernels = kernel_nodes(*plan);
    create_segments();
    find_imports();

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

    imports.resize(graph.resources.size());
    slots = std::vector<FrameSlot>(slot_count);
    for (std::uint32_t i = 0; i < slot_count; ++i) {
        if (auto ok = create_slot(slots[i]); !ok) return ok;
        const BoundResources own = bound(slots[i]);
        auto ok = descriptors.write(*device, *plan, kernels, i, descriptor_sources(slots[i], own));
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
    parameter_layout.note_changes(parameters, bytes, ++parameter_generation);
    std::ranges::copy(bytes, parameters.begin());
}

Result<void> ExecutorImpl::create_slot(FrameSlot& slot) {
    if (auto ok = create_commands(slot); !ok) return ok;
    if (auto ok = create_events(slot); !ok) return ok;
    const QueueMask queues = queues_of(*plan);
    if (parameter_layout.bytes() != 0) {
        auto buffer =
            create_host_buffer(*device, parameter_layout.bytes(),
                               VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, HostUse::write, queues);
        if (!buffer) return propagate(std::move(buffer));
        slot.parameters = std::move(*buffer);
    }
    if (upload_layout.bytes() != 0) {
        auto buffer = create_host_buffer(*device, upload_layout.bytes(),
                                         VK_BUFFER_USAGE_TRANSFER_SRC_BIT, HostUse::write, queues);
        if (!buffer) return propagate(std::move(buffer));
        slot.uploads = std::move(*buffer);
    }
    slot.imports.resize(plan->graph.resources.size());
    return create_queries(slot);
}

DescriptorSets::Sources ExecutorImpl::descriptor_sources(FrameSlot& slot,
                                                         const BoundResources& bound_resources) {
    return {.resources = &bound_resources,
            .samplers = &samplers,
            .parameters = &parameter_layout,
            .parameter_buffer = slot.parameters.buffer.get()};
}

Result<void> ExecutorImpl::check_imports() const {
    for (std::uint32_t i = 0; i < imports.size(); ++i)
        if (needs_import[i] && imports[i] == ResourceHandle{})
            return fail(
                "gpu/import-missing",
                fmt::format("import \"{}\" has not been bound", plan->graph.name_of(ResourceId{i})),
                "call bind_import before the execution");
    return {};
}

Result<void> ExecutorImpl::refresh_imports(std::uint32_t index) {
    FrameSlot& slot = slots[index];
    if (slot.import_generation == import_generation) return {};
    if (auto ok = check_imports(); !ok) return ok;
    for (std::uint32_t i = 0; i < imports.size(); ++i) {
        changed_imports[i] = needs_import[i] && slot.imports[i] != imports[i];
        const VkImage before = slot.imports[i].image;
        if (!changed_imports[i] || before == VK_NULL_HANDLE) continue;
        // Another import may have the image now.
        if (std::ranges::find(imports, before, &ResourceHandle::image) == imports.end())
            slot.import_views.forget(before);
    }
    slot.imports = imports;
    for (std::uint32_t segment = 0; segment < cut.segments.size(); ++segment) {
        const auto changed = [&](ResourceId import) { return changed_imports[import.index]; };
        if (std::ranges::none_of(segment_imports[segment], changed)) continue;
        for (std::uint32_t phase = 0; phase < resources.phases(); ++phase)
            slot.generations[command_index(phase, segment)] = 0;
    }
    const BoundResources sources = bound(slot);
    auto ok = descriptors.write_changed(*device, *plan, kernels, index, changed_imports,
                                        descriptor_sources(slot, sources));
    if (ok)
        slot.import_generation = import_generation;
    else
        std::ranges::fill(slot.imports, ResourceHandle{}); // so that the next attempt writes all
    return ok;
}

Result<void> ExecutorImpl::execute() {
    const auto index = static_cast<std::uint32_t>(submitted % slots.size());
    const auto phase = static_cast<std::uint32_t>(rotation % resources.phases());
    FrameSlot& slot = slots[index];
    if (auto ok = wait_for(slot.execution); !ok) return ok;
    if (auto ok = refresh_imports(index); !ok) return ok;
    if (slot.parameter_generation != parameter_generation) {
        parameter_layout.write(parameters, slot.parameters.bytes, slot.parameter_generation);
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
    if (slot.queries && host_resets_queries)
        device->vk.vkResetQueryPool(device->handle, slot.queries.get(), 0,
                                    TimestampLayout(*plan).count());
    return submitter.submit(
        submitted + 1,
        std::span(slot.commands).subspan(command_index(phase, 0), cut.segments.size()));
}

} // namespace tuff
