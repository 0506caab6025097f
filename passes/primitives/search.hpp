#pragma once

#include "passes/primitives/sort_key.hpp"

#include <cstdint>
#include <string_view>

/// Searching sorted tables, every query by itself. Four passes that differ in what they look for.
namespace tuff::passes {

/// For each query the index of the first key that does not come before it. See `describe`.
struct LowerBound {
    static constexpr std::string_view kName = "primitives/lower_bound";

    Buffer table;       ///< sorted keys
    Buffer table_count; ///< optional
    Buffer queries;
    Buffer count; ///< of the queries; optional
    SortKey type = SortKey::u32;
    SortOrder order = SortOrder::ascending;
    std::int64_t table_length = kAllElements;
    std::int64_t length = kAllElements; ///< of the queries
    Buffer result;

    static void describe(PassInfo<LowerBound>& info);
    void build(Graph& graph);
};

/// For each query the index of the first key that comes after it. See `describe`.
struct UpperBound {
    static constexpr std::string_view kName = "primitives/upper_bound";

    Buffer table;
    Buffer table_count;
    Buffer queries;
    Buffer count;
    SortKey type = SortKey::u32;
    SortOrder order = SortOrder::ascending;
    std::int64_t table_length = kAllElements;
    std::int64_t length = kAllElements;
    Buffer result;

    static void describe(PassInfo<UpperBound>& info);
    void build(Graph& graph);
};

/// For each query the index of the first key that equals it, or `kNotFound`. See `describe`.
struct BinarySearch {
    static constexpr std::string_view kName = "primitives/binary_search";

    static constexpr std::uint32_t kNotFound = ~0u;

    Buffer table;
    Buffer table_count;
    Buffer queries;
    Buffer count;
    SortKey type = SortKey::u32;
    SortOrder order = SortOrder::ascending;
    std::int64_t table_length = kAllElements;
    std::int64_t length = kAllElements;
    Buffer result;

    static void describe(PassInfo<BinarySearch>& info);
    void build(Graph& graph);
};

/// `LowerBound` by the search of GPU Gems, for comparison. Keys of 32 bits. See `describe`.
struct BinarySearchGems {
    static constexpr std::string_view kName = "primitives/binary_search/gems";

    Buffer table;
    Buffer table_count;
    Buffer queries;
    Buffer count;
    SortKey type = SortKey::u32;
    SortOrder order = SortOrder::ascending;
    std::int64_t table_length = kAllElements;
    std::int64_t length = kAllElements;
    Buffer result;

    static void describe(PassInfo<BinarySearchGems>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
