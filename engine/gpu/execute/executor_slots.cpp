// The slots of an executor: what each execution in flight has to itself, and which imports it
// knows.

#include "gpu/execute/executor_impl.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff {

std::uint32_t ExecutorImpl::choose_slot() const {
    // Those that have the imports first, then those that have not been used for longest.
    std::uint32_t best = ~0u;
    bool best_fits = false;
    for (std::uint32_t i = 0; i < slots.size(); ++i) {
        const FrameSlot& slot = slots[i];
        if (slot.execution != 0 && slot.execution + frames_in_flight() > submitted + 1) continue;
        const bool fits = has_imports(slot);
        if (best != ~0u && best_fits && !fits) continue;
        if (best == ~0u || (fits && !best_fits) || slot.execution < slots[best].execution) {
            best = i;
            best_fits = fits;
        }
    }
    return best;
}

bool ExecutorImpl::has_imports(const FrameSlot& slot) const {
    return slot.is_made() && std::ranges::all_of(imported, [&](ResourceId import) {
               return !needs_import[import.index] ||
                      slot.imports[import.index] == imports[import.index];
           });
}

Result<void> ExecutorImpl::create_slot(std::uint32_t index) {
    FrameSlot& slot = slots[index];
    slot.imports.resize(plan->graph.resources.size());
    auto ok = create_buffers(slot);
    if (ok) ok = create_queries(slot);
    const BoundResources own = bound(slot);
    if (ok) ok = descriptors.write(*device, *plan, kernels, index, descriptor_sources(slot, own));
    if (ok) ok = create_commands(slot);
    if (ok) return ok;
    // So that another attempt finds it as it was.
    slot.commands.clear();
    slot.pools.clear();
    return ok;
}

Result<void> ExecutorImpl::create_buffers(FrameSlot& slot) {
    const QueueMask queues = queues_of(*plan);
    if (parameter_layout.bytes() != 0) {
        auto buffer =
            create_host_buffer(*device, parameter_layout.bytes(),
                               VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, HostUse::write, queues);
        if (!buffer) return propagate(std::move(buffer));
        slot.parameters.memory = std::move(*buffer);
        slot.parameters.contents.resize(parameter_layout.bytes());
        std::ranges::fill(slot.parameters.memory.bytes, std::byte{0});
    }
    if (upload_layout.bytes() != 0) {
        auto buffer = create_host_buffer(*device, upload_layout.bytes(),
                                         VK_BUFFER_USAGE_TRANSFER_SRC_BIT, HostUse::write, queues);
        if (!buffer) return propagate(std::move(buffer));
        slot.uploads = std::move(*buffer);
    }
    if (pool_readback.bytes() != 0) {
        auto buffer = create_host_buffer(*device, pool_readback.bytes(),
                                         VK_BUFFER_USAGE_TRANSFER_DST_BIT, HostUse::read);
        if (!buffer) return propagate(std::move(buffer));
        slot.pool_statuses = std::move(*buffer);
    }
    if (marks == MarkWriter::checkpoints)
        slot.checkpoints = std::make_unique<std::byte[]>(2 * plan->order.size());
    if (marks == MarkWriter::fills || marks == MarkWriter::markers) {
        auto buffer = create_host_buffer(*device, Trail::kBytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                         HostUse::read, queues);
        if (!buffer) return propagate(std::move(buffer));
        slot.marks = std::move(*buffer);
    }
    return {};
}

DescriptorSets::Sources ExecutorImpl::descriptor_sources(FrameSlot& slot,
                                                         const BoundResources& bound_resources) {
    return {.resources = &bound_resources,
            .samplers = &samplers,
            .parameters = &parameter_layout,
            .parameter_buffer = slot.parameters.memory.buffer.get()};
}

Result<void> ExecutorImpl::check_imports() const {
    for (const ResourceId import : imported)
        if (needs_import[import.index] && imports[import.index] == ResourceHandle{})
            return fail(
                "gpu/import-missing",
                fmt::format("import \"{}\" has not been bound", plan->graph.name_of(import)),
                "call bind_import before the execution");
    return {};
}

Result<void> ExecutorImpl::refresh_imports(std::uint32_t index) {
    FrameSlot& slot = slots[index];
    if (slot.import_generation == import_generation) return {};
    if (auto ok = check_imports(); !ok) return ok;
    if (has_imports(slot)) {
        slot.import_generation = import_generation;
        return {};
    }
    for (const ResourceId import : imported) {
        const std::uint32_t i = import.index;
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

void ExecutorImpl::forget(const ResourceHandle& import) {
    const auto forget_in = [&](std::vector<ResourceHandle>& handles) {
        bool found = false;
        for (const ResourceId id : imported) {
            ResourceHandle& handle = handles[id.index];
            if (handle == import) {
                handle = {};
                found = true;
            }
        }
        return found;
    };
    if (forget_in(imports)) ++import_generation;
    for (FrameSlot& slot : slots) {
        if (!slot.is_made() || !forget_in(slot.imports)) continue;
        slot.import_generation = 0;
        if (import.image != VK_NULL_HANDLE) slot.import_views.forget(import.image);
    }
}

} // namespace tuff
