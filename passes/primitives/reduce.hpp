#pragma once

#include "passes/primitives/elements.hpp"

#include <glm/vec4.hpp>

#include <string>

namespace tuff::passes {

enum class Reduction : std::uint8_t { sum, min, max, mean, argmin, argmax, product, custom };

/// All elements of an array combined into one. See `describe`.
struct Reduce {
    static constexpr std::string_view kName = "primitives/reduce";

    Buffer source;
    Buffer count; ///< optional
    std::int64_t length = kAllElements;
    Element type = Element::u32;
    Reduction operation = Reduction::sum;
    std::string combine; ///< of Reduction::custom, like the next
    std::string identity;
    glm::vec4 p{};
    Buffer result;

    static void describe(PassInfo<Reduce>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::Reduction> {
    static constexpr std::array<std::string_view, 8> names{"sum",    "min",    "max",     "mean",
                                                           "argmin", "argmax", "product", "custom"};
};
