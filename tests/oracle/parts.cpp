#include "tests/oracle/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace tuff::oracle {
namespace {

/// A half-open interval of mips, layers or bytes.
struct Interval {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool meets(const Interval& other) const { return begin < other.end && other.begin < end; }
    bool inside(const Interval& other) const { return begin >= other.begin && end <= other.end; }
};
Interval mips_of(const Range& r) {
    return {r.mip, std::uint64_t{r.mip} + r.mips};
}
Interval layers_of(const Range& r) {
    return {r.layer, std::uint64_t{r.layer} + r.layers};
}
Interval bytes_of(const Range& r) {
    return {r.offset, r.offset + r.size};
}
bool is_image_range(const Range& r) {
    return r.mips != 0;
}

/// The pieces between the borders of `intervals`.
std::vector<Interval> pieces(const std::vector<Interval>& intervals) {
    std::set<std::uint64_t> borders;
    for (const Interval& i : intervals)
        borders.insert({i.begin, i.end});
    std::vector<Interval> result;
    for (auto border = borders.begin(); std::next(border) != borders.end(); ++border)
        result.push_back({*border, *std::next(border)});
    return result;
}

} // namespace

bool ranges_meet(const Range& a, const Range& b) {
    if (!is_image_range(a)) return bytes_of(a).meets(bytes_of(b));
    return mips_of(a).meets(mips_of(b)) && layers_of(a).meets(layers_of(b));
}

bool lies_inside(const Range& inner, const Range& outer) {
    if (!is_image_range(inner)) return bytes_of(inner).inside(bytes_of(outer));
    return mips_of(inner).inside(mips_of(outer)) && layers_of(inner).inside(layers_of(outer));
}

Range all_of(const ResourceDesc& resource) {
    if (resource.is_image()) return {0, resource.image().mips, 0, resource.image().layers, 0, 0};
    return {0, 0, 0, 0, 0, resource.buffer().size};
}

ResourceId object_holder(const Plan& plan, ResourceId resource) {
    const ResourceId object = plan.allocations[resource.index].object;
    const bool transient = plan.graph.resources[resource.index].lifetime == Lifetime::transient;
    return object && transient ? object : resource;
}

Parts::Parts(const Plan& plan, const Settings& settings)
    : plan_(plan), first_object_(plan.graph.resources.size()) {
    const GraphDesc& graph = plan.graph;
    // Histories are cut alike in all ages, since their copies rotate.
    std::map<std::uint32_t, ResourceId> oldest; // history group -> its first resource
    std::vector<ResourceId> stands_for(graph.resources.size());
    for (std::uint32_t r = 0; r < graph.resources.size(); ++r) {
        stands_for[r] = object_holder(plan, {r});
        if (graph.resources[r].lifetime == Lifetime::history)
            stands_for[r] =
                oldest.try_emplace(graph.resources[r].history_group, ResourceId{r}).first->second;
    }
    std::vector<std::vector<Range>> uses(graph.resources.size());
    for (std::uint32_t r = 0; r < graph.resources.size(); ++r)
        uses[r].push_back(all_of(graph.resources[r]));
    for (const AccessDesc& access : graph.accesses) {
        const ResourceId resource = graph.versions[access.read.index].resource;
        uses[stands_for[resource.index].index].push_back(access.range);
    }
    for (const ImageBarrier& barrier : plan.image_barriers)
        uses[stands_for[barrier.resource.index].index].push_back(barrier.range);
    for (std::uint32_t r = 0; r < graph.resources.size(); ++r) {
        if (stands_for[r] != ResourceId{r}) continue;
        first_object_[r] = static_cast<std::uint32_t>(objects_.size());
        cut({r}, uses[r], graph.resources[r].history_depth + 1);
    }
    for (std::uint32_t r = 0; r < graph.resources.size(); ++r)
        first_object_[r] = first_object_[stands_for[r].index];
    find_sharing(settings);
}

void Parts::cut(ResourceId resource, std::span<const Range> uses, std::uint32_t copies) {
    std::vector<Range> ranges;
    if (plan_.graph.resources[resource.index].is_image()) {
        std::vector<Interval> mips;
        std::vector<Interval> layers;
        for (const Range& use : uses) {
            mips.push_back(mips_of(use));
            layers.push_back(layers_of(use));
        }
        for (const Interval& m : pieces(mips))
            for (const Interval& l : pieces(layers))
                ranges.push_back({static_cast<std::uint32_t>(m.begin),
                                  static_cast<std::uint32_t>(m.end - m.begin),
                                  static_cast<std::uint32_t>(l.begin),
                                  static_cast<std::uint32_t>(l.end - l.begin), 0, 0});
    } else {
        std::vector<Interval> bytes;
        for (const Range& use : uses)
            bytes.push_back(bytes_of(use));
        for (const Interval& b : pieces(bytes))
            ranges.push_back({0, 0, 0, 0, b.begin, b.end - b.begin});
    }
    for (std::uint32_t copy = 0; copy < copies; ++copy) {
        const auto object = static_cast<std::uint32_t>(objects_.size());
        objects_.push_back({resource, static_cast<std::uint32_t>(parts_.size()),
                            static_cast<std::uint32_t>(ranges.size())});
        for (const Range& range : ranges)
            parts_.push_back({.object = object, .range = range, .sharing = {}, .covered = {}});
    }
}

/// Where the bytes of an image's mips and layers lie is the driver's secret: each part may be
/// anywhere in the image's memory. Bytes of buffers are where they are.
void Parts::find_sharing(const Settings& settings) {
    struct Place {
        std::uint32_t part;
        std::uint32_t block;
        bool image;
        Interval bytes;
    };
    const MemoryModel exact;
    const MemoryModel& model = settings.memory ? *settings.memory : exact;
    std::vector<Place> places;
    for (std::uint32_t p = 0; p < parts_.size(); ++p) {
        const std::uint32_t r = objects_[parts_[p].object].resource.index;
        const Allocation& at = plan_.allocations[r];
        if (at.block == ~0u) continue;
        const ResourceDesc& resource = plan_.graph.resources[r];
        const Range& range = parts_[p].range;
        Interval bytes{at.offset + range.offset, at.offset + range.offset + range.size};
        if (resource.is_image())
            bytes = {at.offset, at.offset + model.image(resource.image(), plan_.usages[r]).size};
        places.push_back({p, at.block, resource.is_image(), bytes});
    }
    // An image and a buffer must not even share a granule.
    const std::uint64_t granule = std::max<std::uint64_t>(settings.buffer_image_granularity, 1);
    const auto rounded = [&](const Interval& bytes) {
        return Interval{bytes.begin / granule * granule,
                        (bytes.end + granule - 1) / granule * granule};
    };
    for (const Place& a : places)
        for (const Place& b : places) {
            if (a.block != b.block || parts_[a.part].object == parts_[b.part].object) continue;
            const bool meet = a.image == b.image ? a.bytes.meets(b.bytes)
                                                 : rounded(a.bytes).meets(rounded(b.bytes));
            if (meet) parts_[a.part].sharing.push_back(b.part);
            if (meet && b.bytes.inside(a.bytes)) parts_[a.part].covered.push_back(b.part);
        }
}

std::uint32_t Parts::object_of(ResourceId resource, std::uint32_t execution) const {
    const ResourceDesc& desc = plan_.graph.resources[resource.index];
    if (desc.lifetime != Lifetime::history) return first_object_[resource.index];
    // What is age 0 now is age 1 in the next execution.
    const std::uint32_t copies = desc.history_depth + 1;
    return first_object_[resource.index] + (execution + copies - desc.history_age) % copies;
}

std::vector<std::uint32_t> Parts::inside(std::uint32_t object, const Range& range) const {
    std::vector<std::uint32_t> result;
    const Object& o = objects_[object];
    for (std::uint32_t p = o.first_part; p < o.first_part + o.part_count; ++p)
        if (lies_inside(parts_[p].range, range)) result.push_back(p);
    return result;
}

std::vector<std::uint32_t> Parts::of(std::uint32_t object) const {
    return inside(object, all_of(plan_.graph.resources[objects_[object].resource.index]));
}

std::string Parts::name(std::uint32_t part) const {
    return name(part, objects_[parts_[part].object].resource);
}

std::string Parts::name(std::uint32_t part, ResourceId resource) const {
    const Range& r = parts_[part].range;
    const std::string_view text = plan_.graph.name_of(resource);
    if (objects_[parts_[part].object].part_count == 1) return fmt::format("'{}'", text);
    if (!is_image_range(r))
        return fmt::format("'{}' bytes {}..{}", text, r.offset, r.offset + r.size);
    return fmt::format("'{}' mips {}..{} layers {}..{}", text, r.mip, r.mip + r.mips, r.layer,
                       r.layer + r.layers);
}

} // namespace tuff::oracle
