#pragma once

#include "apps/shared/arguments.hpp"

#include <string>

namespace tuff::cli {

/// The page tuff(1) of all commands, for `man`: what their help says, in roff.
std::string man_page(const Command& app);

} // namespace tuff::cli
