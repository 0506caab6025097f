#pragma once

#include "passes/primitives/sort_key.hpp"

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Records by index: result[i] = source[indices[i]]. See `describe`.
struct Gather {
    static constexpr std::string_view kName = "primitives/gather";

    static constexpr int kMaxWords = 4;

    Buffer source;
    Buffer indices;
    Buffer count;
    std::int64_t length = kAllElements; ///< of the indices
    int words = 1;                      ///< of a record, 1 to 4
    Buffer result;

    static void describe(PassInfo<Gather>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
