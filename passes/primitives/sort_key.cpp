#include "passes/primitives/sort_key.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

/// The types of primitives/elements.glsl: what the last word of a key means.
constexpr std::array<Element, 3> kElements{Element::u32, Element::i32, Element::f32};

} // namespace

void specialize(ComputeNodeBuilder& node, SortKey type, SortOrder order) {
    specialize(node, kElements[static_cast<std::size_t>(type) % kElements.size()]);
    node.specialize("descending", order == SortOrder::descending ? 1u : 0u);
}

std::optional<Length> records_of(Graph& graph, Buffer source, std::uint32_t words,
                                 std::int64_t length, Buffer count, std::string_view port) {
    if (words == 1 || !source) return length_of(graph, source, length, count, port);
    const std::uint64_t room = capacity(graph, source) / words;
    const std::uint64_t most = length < 0 ? room : static_cast<std::uint64_t>(length);
    if (most > room || most > kMaxElements / words) {
        graph.error("primitives/too-long",
                    fmt::format("the length is {} records of {} words, but \"{}\" holds {}, and "
                                "{} can be addressed",
                                most, words, port, room, kMaxElements / words),
                    "-1 takes all that it holds");
        return {};
    }
    return Length{.most = static_cast<std::uint32_t>(most), .count = count};
}

bool holds_records(Graph& graph, Buffer buffer, std::uint32_t words, const Length& length,
                   std::string_view port) {
    if (words == 1 || !buffer) return holds(graph, buffer, length, port);
    const std::uint64_t room = capacity(graph, buffer) / words;
    if (room >= length.most && length.most <= kMaxElements / words) return true;
    graph.error("primitives/too-short",
                fmt::format("\"{}\" holds {} records of {} words, but {} are needed", port, room,
                            words, length.most));
    return false;
}

Buffer records(Graph& graph, std::string_view name, std::uint32_t words, const Length& length) {
    const std::uint64_t count = std::max<std::uint64_t>(length.most, 1);
    return graph.buffer(name, {.size = count * words * kWordBytes, .stride = words * kWordBytes});
}

} // namespace tuff::passes
