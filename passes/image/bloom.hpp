#pragma once

#include "passes/common/picture.hpp"

#include <tuff/pass.hpp>

#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// What bloom gives.
enum class BloomShown : std::uint8_t {
    sum,   ///< the picture with the light
    light, ///< the light alone
};

/// Light that spreads around what is bright. See `describe`.
struct Bloom {
    static constexpr std::string_view kName = "image/bloom";
    static constexpr int kMaxLevels = 12;

    Image source;
    float threshold = 1.0f;
    float knee = 0.5f;
    float intensity = 0.2f;
    float spread = 0.7f;
    int levels = 6;
    glm::vec3 tint{1.0f};
    BloomShown shown = BloomShown::sum;
    OutputFormat format = OutputFormat::same;
    Image result;

    static void describe(PassInfo<Bloom>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::BloomShown> {
    static constexpr std::array<std::string_view, 2> names{"sum", "light"};
};
