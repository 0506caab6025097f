#pragma once

#include "apps/shared/outcome.hpp"
#include "apps/shared/terminal.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

/// --watch: a command is done again whenever one of its files changes.
namespace tuff::cli {

/// The files that a command has read: configs, kernels, includes, models, pictures.
using FilesRead = std::shared_ptr<std::vector<std::filesystem::path>>;

/// Does `once`, which adds to `files`, and again whenever one of them or a file that an error
/// points into has changed. What is wrong is told, and waits for the next change. Ends with Ctrl-C.
Outcome<void> watch(const FilesRead& files, Terminal& terminal,
                    const std::function<Outcome<void>()>& once);

} // namespace tuff::cli
