#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// SPIR-V on disk, named by what it was compiled from. Trouble with the disk is never an error:
/// then things are compiled again.
class ShaderCache {
  public:
    /// An empty folder name turns the cache off.
    explicit ShaderCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// `key` is all that the words depend on; it may be long.
    std::optional<std::vector<std::uint32_t>> load(std::string_view key) const;
    void store(std::string_view key, std::span<const std::uint32_t> words) const;

  private:
    std::filesystem::path file_of(std::string_view key) const;

    std::filesystem::path folder_;
};

} // namespace tuff
