#pragma once

#include <tuff/plan.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// Histories, which plans, executors and checkpoints (tuff/checkpoint.hpp) match by name
/// and description.
namespace tuff {

/// A history of a plan. If two are equal, the contents of one can go on in the other.
struct HistoryInfo {
    std::string name;                         ///< full path, "jet/state"
    std::variant<ImageDesc, BufferDesc> desc; ///< of each copy
    std::uint32_t depth = 1;                  ///< number of earlier executions it keeps
    /// Bits of the initial value, as 32-bit floats or integers.
    std::array<std::uint32_t, 4> clear{};
    /// Of a history that is a rank's part of a field: checkpoints hold the whole.
    std::optional<FieldPart> part = {};
    friend bool operator==(const HistoryInfo&, const HistoryInfo&) = default;

    /// Whether it holds images.
    bool is_image() const { return std::holds_alternative<ImageDesc>(desc); }
};

/// The histories that executions read, in order of declaration. The others need not be kept.
std::vector<HistoryInfo> histories_of(const Plan& plan);

/// Bytes of all copies of a history, `depth` + 1, packed as `Executor::read_history` does.
std::uint64_t packed_bytes(const HistoryInfo& history);

/// Description for people: "rgba16_sfloat 64x64, 1 execution back".
std::string describe(const HistoryInfo& history);

/// Which histories of one plan go on in those of another.
struct HistoryMatch {
    /// Pairs of indices of the same history: before, and now.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> same;
    /// A warning for each that begins again although one of its name existed:
    /// graph/history-restarted.
    Diagnostics restarted;
};

/// Compares by name and description. Histories of one pass are parts of one state: if one of
/// them begins again, all do. Histories outside of passes are independent.
HistoryMatch match_histories(std::span<const HistoryInfo> before, std::span<const HistoryInfo> now);

} // namespace tuff
