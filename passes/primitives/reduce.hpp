#pragma once

#include "passes/primitives/elements.hpp"

namespace tuff::passes {

enum class Reduction : std::uint8_t { sum, min, max, mean, argmin, argmax };

/// All elements of an array combined into one. See `describe`.
struct Reduce {
    static constexpr std::string_view kName = "primitives/reduce";

    Buffer source;
    Buffer count; ///< optional
    std::int64_t length = kAllElements;
    Element type = Element::u32;
    Reduction operation = Reduction::sum;
    Buffer result;

    static void describe(PassInfo<Reduce>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::Reduction> {
    static constexpr std::array<std::string_view, 6> names{"sum",  "min",    "max",
                                                           "mean", "argmin", "argmax"};
};
