#pragma once

#include <tuff/diagnostic.hpp>

#include <cstddef>
#include <span>

namespace tuff {

/// Checks what the head of a PLY file promises, before a parser takes memory for it: every element
/// is named once, has properties, and no more entries than the file has bytes for. Error:
/// mesh/corrupt.
Result<void> check_ply_header(std::span<const std::byte> file);

/// The same for OFF, and that its faces name vertices that there are: the parser takes the last one
/// for those that are not. Errors: mesh/corrupt, mesh/index-out-of-range.
Result<void> check_off(std::span<const std::byte> file);

} // namespace tuff
