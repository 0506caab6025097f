#pragma once

#include "passes/sparse/store.hpp"

namespace tuff::passes {

/// Statistics of a store since the start: words on the device.
struct SparseTotals {
    std::uint32_t executions = 0;
    std::uint32_t broken = 0;     ///< violated rules, in all executions
    std::uint32_t fresh = 0;      ///< slots allocated
    std::uint32_t given_back = 0; ///< slots freed, including those of evicted bricks
    std::uint32_t refused = 0;
    std::uint32_t evicted = 0;
    std::uint32_t most = 0;        ///< active bricks, maximum of all executions
    std::uint32_t window_most = 0; ///< maximum in the current window of "kept" executions
    std::uint32_t early_most = 0;  ///< maximum in the second window, after things have settled in
                                   ///< the first
    std::uint32_t last_most = 0;   ///< maximum in the last full window
    std::uint32_t grown = 0;       ///< 1: `last_most` is more than "growth" times `early_most`
    std::uint32_t active = 0;      ///< now

    static constexpr std::string_view kStructName = "SparseTotals";
    static constexpr auto members() {
        return std::array{
            TUFF_MEMBER(SparseTotals, executions), TUFF_MEMBER(SparseTotals, broken),
            TUFF_MEMBER(SparseTotals, fresh),      TUFF_MEMBER(SparseTotals, given_back),
            TUFF_MEMBER(SparseTotals, refused),    TUFF_MEMBER(SparseTotals, evicted),
            TUFF_MEMBER(SparseTotals, most),       TUFF_MEMBER(SparseTotals, window_most),
            TUFF_MEMBER(SparseTotals, early_most), TUFF_MEMBER(SparseTotals, last_most),
            TUFF_MEMBER(SparseTotals, grown),      TUFF_MEMBER(SparseTotals, active),
        };
    }
    static SparseTotals read(std::span<const std::uint32_t> words);
    /// sparse/broken and sparse/growing
    Diagnostics warnings() const;
};

/// Counts what a store does over executions, and checks that its parts agree. See `describe`.
struct SparseAudit {
    static constexpr std::string_view kName = "sparse/audit";

    SparseBricks bricks;
    std::uint32_t kept = 256;
    float growth = 0.0f;
    Buffer totals; ///< `SparseTotals`
    Buffer active;
    Buffer fresh;
    Buffer refused;
    Buffer evicted;

    static void describe(PassInfo<SparseAudit>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
