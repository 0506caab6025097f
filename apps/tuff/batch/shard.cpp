#include "apps/tuff/batch/shard.hpp"

#include "core/parse_number.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>

namespace tuff::cli {
namespace {

constexpr std::int64_t kMaxShards = 1'000'000;

/// A number of Slurm's; nothing where the variable is not set or is none.
std::optional<std::int64_t> of_slurm(const char* name) {
    const char* const text = std::getenv(name);
    return text ? parse_number<std::int64_t>(text) : std::nullopt;
}

std::expected<Shard, std::string> slurm_shard() {
    const auto task = of_slurm("SLURM_ARRAY_TASK_ID");
    const auto least = of_slurm("SLURM_ARRAY_TASK_MIN");
    const auto count = of_slurm("SLURM_ARRAY_TASK_COUNT");
    if (!task || !least || !count)
        return std::unexpected(
            "slurm has no number here: SLURM_ARRAY_TASK_ID, _MIN and _COUNT are those of "
            "'sbatch --array', and outside of it a shard is written as 3/16");
    const std::int64_t step = of_slurm("SLURM_ARRAY_TASK_STEP").value_or(1);
    const std::int64_t past = *task - *least;
    if (step < 1 || past < 0 || past % step != 0 || past / step >= *count || *count > kMaxShards)
        return std::unexpected(
            fmt::format("slurm's task {} is none of {} that begin at {} and are {} apart; give "
                        "'sbatch --array' numbers without gaps",
                        *task, *count, *least, step));
    return Shard{past / step + 1, *count};
}

} // namespace

FrameRange Shard::part_of(const FrameRange& frames) const {
    const std::int64_t total = frames.count();
    return {frames.first + total * (index - 1) / count, frames.first + total * index / count};
}

std::expected<Shard, std::string> parse_shard(std::string_view text) {
    if (text == "slurm") return slurm_shard();
    const std::size_t slash = text.find('/');
    const auto index = parse_number<std::int64_t>(text.substr(0, slash));
    const auto count = slash == std::string_view::npos
                           ? std::nullopt
                           : parse_number<std::int64_t>(text.substr(slash + 1));
    if (!index || !count)
        return std::unexpected(
            fmt::format("'{}' is no shard such as 3/16, the third of sixteen", text));
    if (*count < 1 || *count > kMaxShards || *index < 1 || *index > *count)
        return std::unexpected(fmt::format("shard {} is none of {}: they go from 1/{} to {}/{}",
                                           *index, *count, *count, *count, *count));
    return Shard{*index, *count};
}

} // namespace tuff::cli
