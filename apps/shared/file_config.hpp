#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Models, pictures and volumes that stand where a config is expected: a small config shows them.
namespace tuff::cli {

/// The config that stands for a file: a model under a plain sky, a picture on a display, or slices,
/// a projection and a cast of a volume, its values from the lowest to the highest.
struct FileConfig {
    std::string text;
    std::string subject; ///< the wire that `tuff inspect` shows
};

/// Nothing for files that are none of them by their extension. Volumes are read, from
/// `confined_to` alone unless it is empty; that they cannot be is told when the config is built.
std::optional<FileConfig>
config_of_file(const std::filesystem::path& file,
               const std::vector<std::filesystem::path>& confined_to = {});

/// A transfer function of greys for numbers from `low` to `high`, as volume/cast takes it: opaque
/// from above what is mostly noise around a body.
std::vector<double> grey_transfer(double low, double high);

} // namespace tuff::cli
