#pragma once

#include "apps/shared/program_options.hpp"

namespace tuff::cli {

/// Shows a config in a window until that is closed.
Outcome<void> run_view(const ViewOptions& options, Terminal& terminal);

} // namespace tuff::cli
