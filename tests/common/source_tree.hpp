#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

/// Files of the source tree, for tests that read them.
namespace tuff::test {

inline const std::filesystem::path kRoot = TUFF_TEST_SOURCE_DIR;

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace tuff::test
