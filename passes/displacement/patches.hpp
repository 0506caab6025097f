#pragma once

#include "passes/displacement/surface.hpp"

#include <glm/vec2.hpp>

namespace tuff::passes {

enum class PatchLayout : std::uint8_t { ground, trunk };

/// Makes quads to be displaced. See `describe`.
struct MakePatches {
    static constexpr std::string_view kName = "displacement/patches";

    PatchLayout layout = PatchLayout::ground;
    std::uint32_t columns = 16;
    std::uint32_t rows = 16;
    glm::vec2 size{16.0f, 16.0f};
    float hills = 0.0f;
    float waves = 1.0f;
    std::uint32_t repeats = 1;
    std::uint32_t repeats_up = 0;

    Buffer patches;

    static void describe(PassInfo<MakePatches>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::PatchLayout> {
    static constexpr std::array<std::string_view, 2> names{"ground", "trunk"};
};
