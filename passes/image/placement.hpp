#pragma once

#include "passes/common/picture.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec2.hpp>

#include <array>
#include <cstdint>
#include <string_view>

/// What the passes share that bring part of one picture into another.
namespace tuff::passes {

/// Where a mask's values are.
enum class MaskChannel : std::uint8_t { red, green, blue, alpha };

/// Offsets are of at most so many texels.
inline constexpr int kMaxOffset = 32768;

/// Describes the fields target, source, mask, channel and offset of a pass.
template <typename Pass>
void describe_placement(PassInfo<Pass>& info) {
    info.input("target", &Pass::target, "the picture that something is brought into").picture();
    info.input("source", &Pass::source, "the picture that it is taken from").picture();
    info.optional_input("mask", &Pass::mask, "which of the source's texels; of its size").picture();
    info.parameter("channel", &Pass::channel, "of the mask");
    info.parameter("offset", &Pass::offset,
                   "where the source's upper left texel comes to lie in the target; parts of the "
                   "source may lie beyond the target's edges, and all of it")
        .range(-kMaxOffset, kMaxOffset)
        .unit("texels");
}

/// Reports, and returns false, unless the mask, if connected, has the source's size and the
/// channel. Codes: `image/size-mismatch`, `image/unsupported-format`.
[[nodiscard]] bool is_placement(Graph& graph, Image source, Image mask, MaskChannel channel);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::MaskChannel> {
    static constexpr std::array<std::string_view, 4> names{"red", "green", "blue", "alpha"};
};
