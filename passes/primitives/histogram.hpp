#pragma once

#include "passes/primitives/elements.hpp"

namespace tuff::passes {

/// How values become bins.
enum class Binning : std::uint8_t {
    range,    ///< equal parts of [low, high)
    integers, ///< each integer from low on has a bin
    bytes,    ///< each byte of a word is an element, and its own bin
};

/// How often values fall into each bin. See `describe`.
struct Histogram {
    static constexpr std::string_view kName = "primitives/histogram";
    static constexpr std::uint32_t kMaxBins = 1u << 24;

    Buffer source;
    Buffer count; ///< optional
    std::int64_t length = kAllElements;
    Element type = Element::u32;
    Binning binning = Binning::range;
    std::uint32_t bins = 256;
    float low = 0.0f;
    float high = 1.0f;
    Buffer result;

    static void describe(PassInfo<Histogram>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::Binning> {
    static constexpr std::array<std::string_view, 3> names{"range", "integers", "bytes"};
};
