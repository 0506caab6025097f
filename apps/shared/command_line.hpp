#pragma once

#include "apps/shared/commands.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tuff::cli {

/// Adds the commands of a program; each sets the action when it is chosen.
using Program = std::function<void(Command& app, Action& action)>;

/// Reads the command line, does what it says, reports what went wrong and returns the exit code.
/// `arguments`: without the name of the program.
int run_program(const Program& program, const std::vector<std::string>& arguments);

} // namespace tuff::cli
