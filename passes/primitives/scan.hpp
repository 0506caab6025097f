#pragma once

#include "passes/primitives/elements.hpp"
#include "passes/primitives/method.hpp"

namespace tuff::passes {

enum class ScanKind : std::uint8_t {
    exclusive, ///< element i: all before i
    inclusive, ///< element i: all up to and with i
};

/// All prefixes of an array, combined. See `describe`.
struct Scan {
    static constexpr std::string_view kName = "primitives/scan";

    Buffer source;
    Buffer count; ///< optional
    std::int64_t length = kAllElements;
    Element type = Element::u32;
    Combine operation = Combine::sum;
    ScanKind kind = ScanKind::exclusive;
    ScanMethod method = ScanMethod::automatic;
    Buffer cleared; ///< see `words_to_clear`
    Buffer result;
    Buffer total;

    static void describe(PassInfo<Scan>& info);
    void build(Graph& graph);
};

/// Words that an automatic scan of u32 wants to be 0 when it begins, or 0 if none. Where a kernel
/// of the caller's has cleared them, `Scan::cleared` saves a kernel.
std::uint64_t words_to_clear(const Graph& graph, std::uint32_t length);

/// Turns the tile totals (words, encoded as by primitives/operators.glsl) into what comes before
/// each tile, in place, and returns with it the decoded total of all. `length` is the number of
/// elements, `kTile` of which make a tile.
struct TilePrefixes {
    Buffer prefixes;
    Buffer total;
};
TilePrefixes scan_totals(Graph& graph, Buffer totals, const Length& length, Element type,
                         Combine operation);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::ScanKind> {
    static constexpr std::array<std::string_view, 2> names{"exclusive", "inclusive"};
};
