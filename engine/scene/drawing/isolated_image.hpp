#pragma once

#include <tuff/image.hpp>

#include <cstdint>
#include <functional>

namespace tuff {

/// What `draw` gives, done in a process of its own: see `run_isolated`. `ended` is the error where
/// that process ended without an answer. Errors: those of `draw`, `ended`, image/unreadable where
/// there can be no process.
Result<HostImage> draw_isolated(std::uint64_t memory, unsigned seconds,
                                const std::function<Result<HostImage>()>& draw,
                                const Diagnostic& ended);

} // namespace tuff
