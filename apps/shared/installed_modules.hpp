#pragma once

#include "apps/shared/outcome.hpp"

#include <tuff/modules.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tuff::cli {

/// Users' modules: those of TUFF_PASSES, and `files`.
std::vector<std::string> users_modules(const std::vector<std::string>& files);

/// The modules of passes that the tools know. Tuff's own lie where Tuff is installed and are loaded
/// when one of their passes is first named. Users' are the files that TUFF_PASSES lists, separated
/// by ':', and `files`. Errors: those of `Modules::add_file`.
Outcome<std::shared_ptr<Modules>> find_modules(const std::vector<std::string>& files);

} // namespace tuff::cli
