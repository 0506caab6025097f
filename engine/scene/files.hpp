#pragma once

#include <tuff/diagnostic.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// Reads a regular file of at most `max_bytes`. Diagnostics carry `domain` before the slash:
/// DOMAIN/not-found, DOMAIN/unreadable (also for folders and devices), DOMAIN/too-large.
Result<std::vector<std::byte>> read_file(const std::filesystem::path& path, std::string_view domain,
                                         std::uint64_t max_bytes);

/// Puts `bytes` into `path` through a temporary file in the same folder and a rename.
/// Error: image/unwritable.
Result<void> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// The extension in lower case, ".png"; empty when there is none.
std::string lower_extension(const std::filesystem::path& path);

} // namespace tuff
