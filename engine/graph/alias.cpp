#include "graph/stages.hpp"

#include <algorithm>
#include <numeric>

namespace tuff {
namespace {

constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

/// A resource waiting for its place.
struct Item {
    std::uint32_t resource;
    Life life;
    MemoryRequirements needs;
};

bool meet(const Life& a, const Life& b) {
    return a.first <= b.last && b.first <= a.last;
}

/// Places `items` one after the other, each at the lowest offset that no living neighbour occupies,
/// and returns the offsets and the total size. With aliasing off every pair is a neighbour.
struct Packing {
    std::vector<std::uint64_t> offsets;
    std::uint64_t size = 0;
};
Packing pack(std::span<const Item> items, AliasMode mode) {
    struct Placed {
        std::uint64_t begin;
        std::uint64_t end;
        Life life;
    };
    Packing packing{.offsets = std::vector<std::uint64_t>(items.size())};
    std::vector<Placed> placed; // by offset
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Item& item = items[i];
        std::uint64_t offset = 0;
        for (const Placed& other : placed) {
            if (mode == AliasMode::on && !meet(other.life, item.life)) continue;
            if (offset + item.needs.size <= other.begin) break;
            offset = std::max(offset, align_up(other.end, item.needs.alignment));
        }
        packing.offsets[i] = offset;
        const Placed mine{offset, offset + item.needs.size, item.life};
        placed.insert(std::ranges::upper_bound(placed, offset, {}, &Placed::begin), mine);
        packing.size = std::max(packing.size, mine.end);
    }
    return packing;
}

/// Most bytes alive at one level.
std::uint64_t peak(std::span<const Item> items, std::uint32_t levels) {
    std::vector<std::int64_t> change(std::size_t{levels} + 2, 0);
    for (const Item& item : items) {
        change[item.life.first] += static_cast<std::int64_t>(item.needs.size);
        change[std::size_t{item.life.last} + 1] -= static_cast<std::int64_t>(item.needs.size);
    }
    std::int64_t live = 0;
    std::int64_t most = 0;
    for (const std::int64_t c : change)
        most = std::max(most, live += c);
    return static_cast<std::uint64_t>(most);
}

} // namespace

Memory alias(const GraphDesc& graph, const std::vector<Life>& lives,
             const std::vector<UsageMask>& usages, const MemoryModel& model, const DeviceCaps& caps,
             AliasMode mode) {
    Memory memory{.allocations = std::vector<Allocation>(graph.resources.size())};
    std::vector<Item> items;
    std::uint32_t levels = 0;
    for (std::uint32_t r = 0; r < graph.resources.size(); ++r) {
        const ResourceDesc& resource = graph.resources[r];
        if (resource.lifetime != Lifetime::transient || !lives[r].alive()) continue;
        MemoryRequirements needs = resource.is_image() ? model.image(resource.image(), usages[r])
                                                       : model.buffer(resource.buffer(), usages[r]);
        // Buffers and images share blocks: keep them on separate granules.
        needs.alignment =
            std::max({needs.alignment, caps.buffer_image_granularity, std::uint64_t{1}});
        needs.size = align_up(needs.size, needs.alignment);
        items.push_back({r, lives[r], needs});
        memory.naive_bytes += needs.size;
        levels = std::max(levels, lives[r].last);
    }
    // One block for each set of memory types; large resources first leave the smallest gaps.
    std::ranges::stable_sort(items, [](const Item& a, const Item& b) {
        return std::tuple(a.needs.type_bits, b.needs.size, a.life.first) <
               std::tuple(b.needs.type_bits, a.needs.size, b.life.first);
    });
    for (auto begin = items.begin(); begin != items.end();) {
        const std::uint32_t type_bits = begin->needs.type_bits;
        auto end = std::find_if(begin, items.end(), [&](const Item& item) {
            return item.needs.type_bits != type_bits;
        });
        const std::span<Item> group(begin, end);
        Packing best = pack(group, mode);
        const std::uint64_t most = peak(group, levels);
        if (best.size > most && mode == AliasMode::on) {
            // Placing by time of birth wins on chains of unequal sizes; take the better of the two.
            std::vector<Item> by_birth(group.begin(), group.end());
            std::ranges::stable_sort(by_birth, {}, [](const Item& i) { return i.life.first; });
            if (Packing other = pack(by_birth, mode); other.size < best.size) {
                best = std::move(other);
                std::ranges::copy(by_birth, group.begin());
            }
        }
        const auto block = static_cast<std::uint32_t>(memory.blocks.size());
        std::uint64_t alignment = 1;
        for (std::size_t i = 0; i < group.size(); ++i) {
            const Item& item = group[i];
            alignment = std::max(alignment, item.needs.alignment);
            memory.allocations[item.resource] = {block, best.offsets[i], item.needs.size,
                                                 item.life.first, item.life.last};
        }
        memory.blocks.push_back({best.size, alignment, type_bits});
        memory.peak_bytes += most;
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
