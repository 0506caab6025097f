#pragma once

#include <filesystem>
#include <string>

namespace tuff::test {

/// Drops a file on the middle of the window whose title contains `title`, as a file manager does
/// (the XDND protocol, version 5). False where the window has not taken it within ten seconds.
bool drop_file(const std::string& display, const std::string& title,
               const std::filesystem::path& file);

} // namespace tuff::test
