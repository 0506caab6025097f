#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tuff::cli {

/// Whether a program of its own does what the command says: `tuff bench` is tuff-bench, `tuff view`
/// tuff-view. So `tuff` needs neither benchmarks nor windows.
bool has_own_program(std::string_view command);

/// Replaces this process by the program of the command that comes first, which lies beside this
/// one. Returns an exit code only where that fails: cli/no-program.
int start_program(const std::vector<std::string>& arguments);

} // namespace tuff::cli
