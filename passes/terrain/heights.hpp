#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// How a map of heights is made.
enum class HeightKind : std::uint8_t {
    picture, ///< a channel of a picture
    fbm,     ///< hills, or ridges
    canyon,  ///< a river's valley with terraces, cut into hills
    numbers, ///< an array of heights
};

/// Makes maps of heights. See `describe`.
struct MakeHeights {
    static constexpr std::string_view kName = "terrain/heights";

    Image source;
    Buffer numbers;
    HeightKind kind = HeightKind::fbm;
    std::uint32_t width = 1024;
    std::uint32_t height = 1024;
    std::uint32_t channel = 0;
    float factor = 1.0f;
    float offset = 0.0f;
    float frequency = 4.0f;
    std::uint32_t octaves = 8;
    float gain = 0.5f;
    float ridges = 0.0f;
    std::uint32_t seed = 1;
    float depth = 0.8f;
    float breadth = 0.05f;
    std::uint32_t terraces = 8;
    Image result;

    static void describe(PassInfo<MakeHeights>& info);
    void build(Graph& graph);
};

/// Computes minimum and maximum heights of all parts of a map. See `describe`.
struct HeightBounds {
    static constexpr std::string_view kName = "terrain/bounds";

    Image heights;
    Image bounds;

    static void describe(PassInfo<HeightBounds>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::HeightKind> {
    static constexpr std::array<std::string_view, 4> names{"picture", "fbm", "canyon", "numbers"};
};
