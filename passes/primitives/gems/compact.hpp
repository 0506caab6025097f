#pragma once

#include "passes/primitives/elements.hpp"

namespace tuff::passes {

/// Which text of the chapter is followed.
enum class GemsText : std::uint8_t {
    corrected,
    printed_scan,   ///< the scan compares strictly: wrong results
    printed_search, ///< the search rounds its steps down: wrong results
};

/// Compaction as GPU Gems 2 does it: a scan of many passes, and a search. See `describe`.
struct CompactGems2 {
    static constexpr std::string_view kName = "primitives/compact/gems2";

    Buffer source;
    Buffer flags;
    Buffer count; ///< optional
    std::int64_t length = kAllElements;
    GemsText text = GemsText::corrected;
    Buffer result;
    Buffer kept;

    static void describe(PassInfo<CompactGems2>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::GemsText> {
    static constexpr std::array<std::string_view, 3> names{"corrected", "printed_scan",
                                                           "printed_search"};
};
