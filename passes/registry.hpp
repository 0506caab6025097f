#pragma once

#include <tuff/pass.hpp>

namespace tuff::passes {

/// All passes Tuff ships, by name. A program adds its own to the registry it gets.
PassRegistry make_registry();

} // namespace tuff::passes
