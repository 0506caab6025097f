#pragma once

#include "outcome.hpp"
#include "terminal.hpp"

#include <span>

namespace tuff::cli {

/// Reads the command line, does what it says, reports what went wrong and returns the exit code.
int run_command_line(std::span<char* const> arguments, Terminal& terminal);

} // namespace tuff::cli
