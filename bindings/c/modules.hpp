#pragma once

#include <tuff/modules.hpp>

#include <memory>

namespace tuff::c {

/// The modules that all configs and devices of the program know: Tuff's own, and the ones that it
/// has loaded.
const std::shared_ptr<Modules>& modules();

} // namespace tuff::c
