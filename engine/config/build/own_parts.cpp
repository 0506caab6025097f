#include "config/build/own_parts.hpp"

#include <tuff/graph.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <variant>

namespace tuff {
namespace {

using Size = std::array<std::uint32_t, 3>;

/// Wider ones are more likely tables whose length happens to fit.
constexpr std::uint32_t kMaxArrayHalo = 8;

/// The halo of what has `size` texels, if that is a part with the same halo on all divided axes.
/// The others have it or have none.
std::optional<std::uint32_t> halo_of(const DomainInput& domain, const Size& size) {
    const auto part = domain.ranks.part(domain.cells);
    std::optional<std::uint32_t> halo;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (domain.ranks.grid[axis] == 1) continue;
        if (size[axis] >= domain.cells[axis] || size[axis] < part[axis].count) return std::nullopt;
        const std::uint32_t more = size[axis] - part[axis].count;
        if (more % 2 != 0 || more / 2 > kMaxPartHalo || more / 2 != halo.value_or(more / 2))
            return std::nullopt;
        halo = more / 2;
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (domain.ranks.grid[axis] == 1 && size[axis] != part[axis].count &&
            size[axis] != part[axis].count + 2 * *halo)
            return std::nullopt;
    return halo;
}

/// The same of an array of so many elements, x fastest.
std::optional<std::uint32_t> halo_of_array(const DomainInput& domain, std::uint64_t elements) {
    const auto part = domain.ranks.part(domain.cells);
    const auto has = [&](std::uint32_t halo, bool everywhere) {
        Size size{};
        for (std::size_t axis = 0; axis < 3; ++axis)
            size[axis] =
                part[axis].count + (everywhere || domain.ranks.grid[axis] > 1 ? 2 * halo : 0);
        return std::uint64_t{size[0]} * size[1] * size[2] == elements && halo_of(domain, size);
    };
    if (elements < 2) return std::nullopt; // a number, of whatever
    for (std::uint32_t halo = 0; halo <= kMaxArrayHalo; ++halo)
        if (has(halo, false) || has(halo, true)) return halo;
    return std::nullopt;
}

/// Those of images and buffers; bundles have none of their own.
std::vector<VersionId> versions_of(const std::vector<PortValue>& values) {
    std::vector<VersionId> versions;
    for (const PortValue& value : values) {
        if (const auto* image = value.get<Image>()) versions.push_back(image->version);
        if (const auto* buffer = value.get<Buffer>()) versions.push_back(buffer->version);
    }
    return versions;
}

} // namespace

bool OwnParts::is_one_of(const std::vector<Part>& parts, VersionId version) {
    return std::ranges::find(parts, version, &Part::version) != parts.end();
}

std::optional<OwnParts::Part> OwnParts::part_of(const Graph& graph, Image image,
                                                const BufferElements&) const {
    if (!image) return std::nullopt;
    const Extent extent = graph.extent(image);
    const auto halo = halo_of(*domain_, {extent.width, extent.height, extent.depth});
    if (!halo) return std::nullopt;
    const std::string depth = extent.depth > 1 ? fmt::format("x{}", extent.depth) : "";
    return Part{image.version, *halo, fmt::format("{}x{}{}", extent.width, extent.height, depth)};
}

std::optional<OwnParts::Part> OwnParts::part_of(const Graph& graph, Buffer buffer,
                                                const BufferElements& elements) const {
    if (!buffer) return std::nullopt;
    constexpr std::uint32_t kWord = 4; // bytes
    const BufferDesc desc = graph.desc(buffer);
    const std::uint32_t bytes = elements ? elements.bytes() : std::max(desc.stride, kWord);
    const std::uint64_t count = desc.size / bytes;
    const auto halo = halo_of_array(*domain_, count);
    if (!halo) return std::nullopt;
    return Part{buffer.version, *halo, fmt::format("{} elements", count)};
}

std::vector<OwnParts::Part> OwnParts::parts_of(const Graph& graph,
                                               const std::vector<PortValue>& values) const {
    std::vector<Part> parts;
    const auto add = [&](const auto& resource, const BufferElements& elements) {
        if (auto part = part_of(graph, resource, elements)) parts.push_back(std::move(*part));
    };
    for (const PortValue& value : values) {
        if (const auto* image = value.get<Image>()) add(*image, {});
        if (const auto* buffer = value.get<Buffer>()) add(*buffer, value.elements);
        for (const PortMember& member : value.members)
            std::visit([&](const auto& resource) { add(resource, member.elements); },
                       member.resource);
    }
    return parts;
}

std::optional<OwnParts::TooFar> OwnParts::add(const Graph& graph, const BuiltPass& pass) {
    std::vector<Part> reads = parts_of(graph, pass.inputs);
    std::vector<Part> makes = parts_of(graph, pass.outputs);
    if (pass.asks_for_ranks) {
        add_with_ranks(pass, reads, makes);
        return std::nullopt;
    }
    if (const auto too_far = look(pass, reads, makes)) return too_far;
    const auto exchanged = [&](const Part& part) { return is_exchanged(part.version); };
    if (std::ranges::any_of(reads, exchanged)) // inner cells, say, which a pass completes
        for (const Part& part : reads)
            to_be_exchanged_.insert(part.version.index);
    const bool reads_theirs = std::ranges::any_of(versions_of(pass.inputs), [&](VersionId version) {
        return made_by_them_.contains(version.index);
    });
    const bool stays_in_cell = pass.look == Reach{};
    if (pass.knows_domain || reads_theirs || stays_in_cell || reads.empty()) return std::nullopt;
    std::vector<VersionId> results = versions_of(pass.outputs);
    std::erase_if(results, [&](VersionId version) { return is_one_of(makes, version); });
    uses_.push_back(
        {pass.node, std::move(reads), std::move(makes), std::move(results), pass.needs_whole});
    return std::nullopt;
}

bool OwnParts::reads_exchanged(const Graph& graph, const std::vector<PortValue>& inputs) const {
    return std::ranges::any_of(parts_of(graph, inputs), [&](const Part& part) {
        return part.halo > 0 && is_exchanged(part.version);
    });
}

/// What a pass leaves of a right halo.
std::optional<OwnParts::TooFar> OwnParts::look(const BuiltPass& pass,
                                               const std::vector<Part>& reads,
                                               const std::vector<Part>& makes) {
    if (!pass.look || reads.empty()) return std::nullopt;
    std::optional<Reach> least;
    for (const Part& part : reads) {
        const Reach* const right = right_halo(part.version);
        if (!right) return std::nullopt;
        if (!least) least = *right;
        for (std::size_t axis = 0; axis < least->size(); ++axis)
            (*least)[axis] = std::min((*least)[axis], (*right)[axis]);
    }
    for (std::size_t axis = 0; axis < least->size(); ++axis) {
        if (domain_->ranks.grid[axis] == 1) continue; // the ends of the field are the pass's own
        const std::uint32_t look = (*pass.look)[axis];
        std::uint32_t& right = (*least)[axis];
        if (look > right) return TooFar{axis, look, right};
        right -= look;
    }
    for (const Part& part : makes)
        right_[part.version.index] = *least;
    return std::nullopt;
}

void OwnParts::add_with_ranks(const BuiltPass& pass, const std::vector<Part>& reads,
                              const std::vector<Part>& makes) {
    const auto insert = [](std::set<std::uint32_t>& versions, const std::vector<Part>& parts) {
        for (const Part& part : parts)
            if (part.halo > 0) versions.insert(part.version.index);
    };
    insert(exchanged_, makes);
    for (const Part& part : makes)
        if (part.halo > 0) right_[part.version.index] = {part.halo, part.halo, part.halo};
    if (std::ranges::any_of(makes, &Part::halo)) insert(to_be_exchanged_, reads);
    for (const VersionId version : versions_of(pass.inputs))
        if (!is_one_of(reads, version)) read_by_them_.insert(version.index);
    for (const VersionId version : versions_of(pass.outputs))
        if (!is_one_of(makes, version)) made_by_them_.insert(version.index);
}

void OwnParts::add_history(Image kept, Image previous) {
    histories_.push_back({kept.version, previous.version});
}

bool OwnParts::is_exchanged(VersionId version) const {
    return exchanged_.contains(version.index) || has_right_halo(version) ||
           std::ranges::any_of(histories_, [&](const History& history) {
               return history.previous == version && exchanged_.contains(history.kept.index);
           });
}

/// Null: it was not exchanged, or a pass in between looks who knows how far.
const Reach* OwnParts::right_halo(VersionId version) const {
    const auto found = right_.find(version.index);
    return found == right_.end() ? nullptr : &found->second;
}

bool OwnParts::has_right_halo(VersionId version) const {
    const Reach* const right = right_halo(version);
    for (std::size_t axis = 0; right && axis < right->size(); ++axis)
        if (domain_->ranks.grid[axis] > 1 && (*right)[axis] > 0) return true;
    return false;
}

bool OwnParts::will_be_exchanged(VersionId version) const {
    return to_be_exchanged_.contains(version.index) ||
           std::ranges::any_of(histories_, [&](const History& history) {
               return history.kept == version && to_be_exchanged_.contains(history.previous.index);
           });
}

/// A filter is right with a halo that is exchanged and wide enough, before it or after it.
bool OwnParts::has_halo(const Use& use) const {
    return !use.needs_whole && !use.makes.empty() &&
           (std::ranges::any_of(use.reads,
                                [&](const Part& part) { return is_exchanged(part.version); }) ||
            std::ranges::any_of(use.makes,
                                [&](const Part& part) { return will_be_exchanged(part.version); }));
}

/// The sum of a part is right where it is added to those of others, unless it counts a halo.
bool OwnParts::is_put_together(const Use& use) const {
    return std::ranges::none_of(use.reads, &Part::halo) &&
           std::ranges::any_of(use.results, [&](VersionId version) {
               return read_by_them_.contains(version.index);
           });
}

void OwnParts::mark(std::vector<ConfiguredNode>& nodes) const {
    for (const Use& use : uses_)
        if (!has_halo(use) && !is_put_together(use))
            nodes[use.node].own_part = use.reads.front().size;
}

} // namespace tuff
