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
    info.input("target", &Pass::target, "the picture to paste into").picture();
    info.input("source", &Pass::source, "the picture to paste").picture();
    info.optional_input("mask", &Pass::mask,
                        "the texels of the source to paste; of the source's size")
        .picture();
    info.parameter("channel", &Pass::channel, "channel of the mask");
    info.parameter("offset", &Pass::offset,
                   "place of the source's upper left texel in the target; the source may lie "
                   "partly or wholly beyond the target's edges")
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
