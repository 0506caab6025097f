#pragma once

#include <tuff/modules.hpp>

#include <memory>

namespace tuff::c {

/// What all configs and devices of the program know: Tuff's own modules, and those that it has
/// loaded.
const std::shared_ptr<Modules>& modules();

} // namespace tuff::c
