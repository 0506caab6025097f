#pragma once

#include <filesystem>
#include <optional>
#include <string>

/// Models and pictures that stand where a config is expected: a small config shows them.
namespace tuff::cli {

/// The config that stands for a file: a model under a plain sky, or a picture on a display.
struct FileConfig {
    std::string text;
    std::string subject; ///< the wire that `tuff inspect` shows
};

/// Nothing for files that are neither by their extension.
std::optional<FileConfig> config_of_file(const std::filesystem::path& file);

} // namespace tuff::cli
