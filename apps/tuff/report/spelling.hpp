#pragma once

#include "apps/shared/arguments.hpp"

#include <string>

namespace tuff::cli {

/// "--frames N"; of an argument "CONFIG".
std::string spelling(const Option& option);
/// "tuff inspect CONFIG NODE.PORT [OPTIONS]"
std::string usage(const Command& command);

} // namespace tuff::cli
