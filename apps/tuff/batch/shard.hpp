#pragma once

#include "apps/tuff/batch/frame_range.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace tuff::cli {

/// One of several processes that share out the runs of a sweep, or the frames of a single run.
struct Shard {
    std::int64_t index = 1; ///< from 1
    std::int64_t count = 1;

    bool is_all() const { return count == 1; }
    /// Whether it makes a run; runs are dealt out in turn, so that all shards have as many.
    bool has_run(std::int64_t run) const { return run % count == index - 1; }
    /// Its part of the frames, which may be empty.
    FrameRange part_of(const FrameRange& frames) const;
};

/// "3/16", or "slurm", which takes the numbers from the environment of a Slurm job array. The error
/// says what is wrong with the text.
std::expected<Shard, std::string> parse_shard(std::string_view text);

} // namespace tuff::cli
