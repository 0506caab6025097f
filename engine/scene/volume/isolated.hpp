#pragma once

#include "scene/volume/stored_volume.hpp"

#include <cstdint>
#include <functional>
#include <string_view>

namespace tuff {

/// What `read` gives, done in a process of its own: see `run_isolated`. Errors: those of `read`,
/// volume/corrupt where the process ended without an answer, volume/unreadable where there is none.
Result<StoredVolume> read_isolated(std::string_view name, std::uint64_t memory,
                                   std::uint64_t file_bytes,
                                   const std::function<Result<StoredVolume>()>& read);

} // namespace tuff
