#pragma once

#include "passes/image/placement.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Whose differences of neighbouring texels the result takes over.
enum class CloneGuidance : std::uint8_t {
    source, ///< what is cloned covers the target
    mixed,  ///< the greater one of source and target, colour by colour: holes show the target
};

/// Clones part of one picture into another so that no edge shows. See `describe`.
struct SeamlessClone {
    static constexpr std::string_view kName = "image/seamless_clone";

    Image target;
    Image source;
    Image mask; ///< optional: none, all of the source
    MaskChannel channel = MaskChannel::red;
    float threshold = 0.5f;
    glm::ivec2 offset{0};
    CloneGuidance guidance = CloneGuidance::source;
    float tolerance = 1e-5f;
    std::uint32_t max_cycles = 20;
    OutputFormat format = OutputFormat::same;
    Image result;
    Buffer status; ///< of red, green and blue, kPoissonStatusWords words each: see PoissonReport

    static void describe(PassInfo<SeamlessClone>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::CloneGuidance> {
    static constexpr std::array<std::string_view, 2> names{"source", "mixed"};
};
