#pragma once

#include "scene/volume/stored_volume.hpp"

#include <cstdint>
#include <functional>
#include <string_view>

namespace tuff {

/// What `read` gives, done in a process of its own: a library that does not stand damaged files
/// crashes there, and what it prints goes nowhere. The process may take `memory` bytes beside what
/// this one has. Errors: those of `read`, volume/corrupt where the process ended without an answer.
Result<StoredVolume> read_isolated(std::string_view name, std::uint64_t memory,
                                   const std::function<Result<StoredVolume>()>& read);

/// Within `read`: as many bytes more.
void allow_more_memory(std::uint64_t bytes);

} // namespace tuff
