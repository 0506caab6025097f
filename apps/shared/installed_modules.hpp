#pragma once

#include "apps/shared/outcome.hpp"

#include <tuff/modules.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tuff::cli {

/// The modules of passes that the tools know: those that lie where Tuff is installed, loaded when a
/// pass of theirs is first named; those of the files that TUFF_PASSES lists, separated by ':'; and
/// `files`. Errors: those of `Modules::add_file`.
Outcome<std::shared_ptr<Modules>> find_modules(const std::vector<std::string>& files);

} // namespace tuff::cli
