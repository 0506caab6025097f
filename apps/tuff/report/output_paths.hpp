#pragma once

#include "apps/shared/common.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// Where the files that a config names may be written. Configs come from strangers: what they name
/// stays below a folder that the user has chosen.
namespace tuff::cli {

/// What the user allows.
struct OutputFolders {
    std::filesystem::path out_dir;           ///< relative files count from here; empty: the current
    std::vector<std::filesystem::path> more; ///< folders that files may lie below as well
};

/// The file `name` that a config names for an output. Error, with its place in the config:
/// cli/unsafe-output where it leads out of the folders, is hidden, is a link, or is there and no
/// plain file.
Result<std::filesystem::path> output_path(const ConfiguredOutput& output,
                                          const std::filesystem::path& name,
                                          const OutputFolders& folders);

/// Error: cli/unknown-extension where the file's extension is none that an output of this type is
/// written by. `named`: by the user, who may have the bytes of a buffer in any file.
Result<void> check_extension(const ConfiguredOutput& output, const std::filesystem::path& file,
                             bool named);

} // namespace tuff::cli
