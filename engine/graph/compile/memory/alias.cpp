#include "graph/compile/memory/packing.hpp"
#include "graph/compile/stages.hpp"

#include <algorithm>
#include <utility>

namespace tuff {
MemoryRequirements requirements_of(const ResourceDesc& resource, UsageMask usage,
                                   const MemoryModel& model, const DeviceCaps& caps) {
    MemoryRequirements needs = resource.is_image() ? model.image(resource.image(), usage)
                                                   : model.buffer(resource.buffer(), usage);
    // Buffers and images share blocks: keep them on separate granules.
    needs.alignment = std::max({needs.alignment, caps.buffer_image_granularity, std::uint64_t{1}});
    needs.size = align_up(needs.size, needs.alignment);
    needs.host_visible = (usage & usage::kHost) != 0;
    return needs;
}

std::vector<std::uint64_t> transient_bytes(const GraphDesc& graph,
                                           const std::vector<UsageMask>& usages,
                                           const MemoryModel& model, const DeviceCaps& caps) {
    std::vector<std::uint64_t> bytes(graph.resources.size(), 0);
    for (std::size_t r = 0; r < bytes.size(); ++r)
        if (graph.resources[r].lifetime == Lifetime::transient && usages[r] != 0)
            bytes[r] = requirements_of(graph.resources[r], usages[r], model, caps).size;
    return bytes;
}

namespace {

/// Not cubes, where the device filters against border texels: these lie in the cube's memory and
/// keep what others have left there.
bool may_share(const ResourceDesc& resource, const DeviceCaps& caps) {
    return caps.seamless_cubes || !resource.is_image() ||
           resource.image().shape != ImageShape::cube;
}

} // namespace

Memory alias(const GraphDesc& graph, const std::vector<LiveRange>& live_ranges,
             const std::vector<UsageMask>& usages, const MemoryModel& model, const DeviceCaps& caps,
             AliasMode mode) {
    Memory memory{.allocations = std::vector<Allocation>(graph.resources.size())};
    std::vector<PackingItem> items;
    items.reserve(graph.resources.size());
    std::uint32_t end_of_all = 0;
    for (const LiveRange& life : live_ranges)
        if (life.alive()) end_of_all = std::max(end_of_all, life.last);
    for (std::uint32_t r = 0; r < graph.resources.size(); ++r) {
        const ResourceDesc& resource = graph.resources[r];
        if (resource.lifetime != Lifetime::transient || !live_ranges[r].alive()) continue;
        const LiveRange life =
            may_share(resource, caps) ? live_ranges[r] : LiveRange{0, end_of_all};
        items.push_back({r, life, requirements_of(resource, usages[r], model, caps)});
        memory.naive_bytes += items.back().needs.size;
    }
    // One block for each set of memory types, and one of these that the host maps.
    const auto kind = [](const PackingItem& item) {
        return std::pair(item.needs.host_visible, item.needs.type_bits);
    };
    if (!std::ranges::is_sorted(items, {}, kind)) std::ranges::stable_sort(items, {}, kind);
    for (auto begin = items.begin(); begin != items.end();) {
        const auto end = std::ranges::upper_bound(begin, items.end(), kind(*begin), {}, kind);
        const std::span<const PackingItem> group(begin, end);
        const std::uint64_t peak = peak_of(group);
        const Packing packing =
            mode == AliasMode::on ? pack(group, peak) : pack_side_by_side(group);
        const auto block = static_cast<std::uint32_t>(memory.blocks.size());
        std::uint64_t alignment = 1;
        for (std::size_t i = 0; i < group.size(); ++i) {
            const PackingItem& item = group[i];
            alignment = std::max(alignment, item.needs.alignment);
            memory.allocations[item.resource] = {.block = block,
                                                 .object = {item.resource},
                                                 .offset = packing.offsets[i],
                                                 .size = item.needs.size,
                                                 .first_level = live_ranges[item.resource].first,
                                                 .last_level = live_ranges[item.resource].last};
        }
        memory.blocks.push_back(
            {packing.size, alignment, begin->needs.type_bits, begin->needs.host_visible});
        memory.peak_bytes += peak;
        begin = end;
    }
    return memory;
}

MemoryRequirements MemoryModel::image(const ImageDesc& desc, UsageMask) const {
    return {.size = align_up(packed_bytes(desc), 256), .alignment = 256};
}

MemoryRequirements MemoryModel::buffer(const BufferDesc& desc, UsageMask) const {
    return {.size = align_up(desc.size, 256), .alignment = 256};
}

} // namespace tuff
