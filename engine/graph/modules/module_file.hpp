#pragma once

#include <tuff/modules.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace tuff {

/// The name of the module in `file`, read without running anything of it. Errors:
/// `module/unreadable`, `module/not-a-module`, `module/wrong-version`, `module/wrong-compiler`.
Result<std::string> name_of_module_file(const std::filesystem::path& file);

/// Loads the module that `file` holds, for as long as the program runs. Errors: those of
/// `name_of_module_file`, `module/load-failed`, and `module/not-a-module` where it is not the
/// module `expected_name`.
Result<const Module*> load_module_file(const std::filesystem::path& file,
                                       std::string_view expected_name);

} // namespace tuff
