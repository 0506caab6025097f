#include "passes/geometry/fragment_lists.hpp"

#include "passes/primitives/elements.hpp"
#include "passes/primitives/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kMaxWords = (std::uint64_t{1} << 30) - 1; // addressed in bytes by 32 bits
constexpr std::uint64_t kMaxTight = 0xffffff; // numbered in 24 bits, of which one means none

std::vector<ElementMember> payload_members(FragmentPayload payload) {
    const auto member = [](std::string_view name, ElementType type = ElementType::u32) {
        return ElementMember{.name = std::string(name), .type = type};
    };
    switch (payload) {
    case FragmentPayload::hdr:
        return {member("red_green"), member("blue_alpha"), member("place"),
                member("triangle_samples")};
    case FragmentPayload::compact: return {member("color"), member("place")};
    case FragmentPayload::tight: return {member("depth_color"), member("next_alpha")};
    case FragmentPayload::triangle: return {member("triangle"), member("depth", ElementType::f32)};
    case FragmentPayload::face:
        return {member("distance", ElementType::f32), member("medium"), member("reflected")};
    case FragmentPayload::standard: break;
    }
    return {member("color"), member("place"), member("triangle_samples")};
}

bool names_next(FragmentPayload payload, FragmentLayout layout) {
    return layout == FragmentLayout::linked && payload != FragmentPayload::tight;
}

} // namespace

std::uint32_t words_of(FragmentPayload payload, FragmentLayout layout) {
    const std::uint32_t next = names_next(payload, layout) ? 1 : 0;
    switch (payload) {
    case FragmentPayload::hdr: return 4 + next;
    case FragmentPayload::standard:
    case FragmentPayload::face: return 3 + next;
    case FragmentPayload::compact:
    case FragmentPayload::tight:
    case FragmentPayload::triangle: break;
    }
    return 2 + next;
}

BufferElements fragment_elements(FragmentPayload payload, FragmentLayout layout) {
    std::vector<ElementMember> members = payload_members(payload);
    if (names_next(payload, layout)) members.push_back({.name = "next", .type = ElementType::u32});
    for (std::size_t i = 0; i < members.size(); ++i)
        members[i].offset = static_cast<std::uint32_t>(4 * i);
    return {fmt::format("{} fragment",
                        ChoiceNames<FragmentPayload>::names[static_cast<std::size_t>(payload)]),
            std::move(members), 4 * words_of(payload, layout)};
}

std::vector<PortMember> FragmentLists::members() const {
    std::vector<PortMember> all;
    if (mesh) all = mesh.members();
    const auto& words = BufferElements::of<std::uint32_t>();
    all.push_back({"heads", heads, words});
    all.push_back({"fragments", fragments, fragment_elements(payload, layout)});
    if (count) all.push_back({"count", count, words});
    all.push_back({"status", status, words});
    return all;
}

std::uint64_t most_fragments(const Graph& graph, FragmentPayload payload, FragmentLayout layout) {
    const std::uint64_t words = words_of(payload, layout);
    const std::uint64_t most =
        std::min(kMaxWords / words, graph.target().max_storage_buffer_bytes / (4 * words));
    return payload == FragmentPayload::tight ? std::min(most, kMaxTight) : most;
}

std::uint32_t fragment_room(const Graph& graph, FragmentPayload payload, FragmentLayout layout,
                            std::uint64_t wanted) {
    const std::uint64_t bytes = std::uint64_t{4} * words_of(payload, layout);
    return static_cast<std::uint32_t>(
        std::min(graph.pool("fragments", wanted, bytes), most_fragments(graph, payload, layout)));
}

Buffer fragment_buffer(Graph& graph, const FragmentLists& lists) {
    return array(graph, "fragments",
                 std::uint64_t{lists.capacity} * words_of(lists.payload, lists.layout));
}

Buffer no_fragments(Graph& graph, std::uint64_t pixels) {
    return graph.fill(array(graph, "counts", pixels + 1), 0, "clear_counts");
}

ListHeads heads_of_counts(Graph& graph, Buffer counts, std::uint64_t pixels) {
    const Scan scan =
        graph.add(Scan{.source = counts, .length = static_cast<std::int64_t>(pixels + 1)}, "heads");
    return {scan.result, scan.total};
}

bool lists_fit(Graph& graph, const FragmentLists& lists, Image picture) {
    const Extent extent = graph.extent(picture);
    const glm::uvec2 end = lists.area.origin + lists.area.size;
    if (end.x <= extent.width && end.y <= extent.height) return true;
    graph.error("image/size-mismatch",
                fmt::format("the fragments are of a picture of {}x{} pixels, but this picture has "
                            "{}x{}",
                            end.x, end.y, extent.width, extent.height));
    return false;
}

} // namespace tuff::passes
