#include "passes/image/placement.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

bool has_channel(Graph& graph, Image mask, MaskChannel channel) {
    const FormatInfo& format = info(graph.desc(mask).format);
    const auto index = static_cast<std::size_t>(channel);
    if (index < format.channels) return true;
    graph.error("image/unsupported-format",
                fmt::format("input \"mask\" has format {}, which has no {}", format.name,
                            ChoiceNames<MaskChannel>::names[index]),
                "set \"channel\" to one that the mask has");
    return false;
}

} // namespace

bool is_placement(Graph& graph, Image source, Image mask, MaskChannel channel) {
    return !mask ||
           (same_size(graph, source, "source", mask, "mask") && has_channel(graph, mask, channel));
}

} // namespace tuff::passes
