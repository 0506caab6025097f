#pragma once

#include <tuff/diagnostic.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <system_error>
#include <vector>

/// Files that are on the disk, not only on their way there, and reading them back with care.
namespace tuff {

/// Makes a new file of these bytes and waits until the disk has it.
std::error_code write_durably(const std::filesystem::path& file, std::span<const std::byte> bytes);

/// Waits until the disk has the names in a folder.
std::error_code sync_folder(const std::filesystem::path& folder);

/// Hands the contents of a plain file on, piece by piece. What is no plain file, a link or a pipe
/// for instance, is an error, and nothing waits for it.
std::error_code read_pieces(const std::filesystem::path& file,
                            const std::function<void(std::span<const std::byte>)>& take);

} // namespace tuff
