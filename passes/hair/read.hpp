#pragma once

#include "passes/hair/hair.hpp"

#include <glm/vec3.hpp>

namespace tuff::passes {

enum class HairFileFormat : std::uint8_t {
    hair, ///< Cem Yuksel's format
    rows, ///< four floats a point: strand, x, y, z
};

/// Reads a groom from a file. See `describe`.
struct ReadHair {
    static constexpr std::string_view kName = "hair/read";

    Buffer file;
    HairFileFormat format = HairFileFormat::hair;
    std::uint32_t vertices = 16;
    std::uint32_t most = kMaxStrands;
    float scale = 1.0f;
    glm::vec3 shift{0.0f};
    bool z_up = false;
    HairGroom groom;

    static void describe(PassInfo<ReadHair>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::HairFileFormat> {
    static constexpr std::array<std::string_view, 2> names{"hair", "rows"};
};
