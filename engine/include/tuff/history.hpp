#pragma once

#include <tuff/plan.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// Histories as plans, executors and checkpoints (tuff/checkpoint.hpp) know each other's: by name
/// and description.
namespace tuff {

/// A history of a plan. Where two are equal, the contents of one go on in the other.
struct HistoryInfo {
    std::string name;                         ///< full path, "jet/state"
    std::variant<ImageDesc, BufferDesc> desc; ///< of one copy
    std::uint32_t depth = 1;                  ///< executions that it reaches back
    /// Bits of what it holds before anything was written, as 32-bit floats or integers.
    std::array<std::uint32_t, 4> clear{};
    friend bool operator==(const HistoryInfo&, const HistoryInfo&) = default;

    /// Whether it is of images.
    bool is_image() const { return std::holds_alternative<ImageDesc>(desc); }
};

/// Those that executions read, as they were declared. What is never read has no contents to keep.
std::vector<HistoryInfo> histories_of(const Plan& plan);

/// Bytes of all copies of a history, `depth` + 1, packed as `Executor::read_history` does.
std::uint64_t packed_bytes(const HistoryInfo& history);

/// What it is, for people: "rgba16_sfloat 64x64, 1 execution back".
std::string describe(const HistoryInfo& history);

/// Which histories of one plan go on in those of another.
struct HistoryMatch {
    /// Indices of histories before, and of the same ones now.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> same;
    /// A warning for each that begins again though there was one of its name:
    /// graph/history-restarted.
    Diagnostics restarted;
};

/// Compares by name and description. Histories of one pass are parts of one state: where one of
/// them begins again, the others do. Those that no pass has made stand each for itself.
HistoryMatch match_histories(std::span<const HistoryInfo> before, std::span<const HistoryInfo> now);

} // namespace tuff
