#pragma once

#include "panels/state.hpp"

namespace tuff::viewer {

/// Moves the scene's camera as mouse and keys say over the item that was added last: left button
/// turns about the target, with shift shifts, right button looks around, the wheel goes nearer;
/// W, A, S, D, Q and E fly. False where the config has no camera that could be moved.
bool handle_camera(InterfaceState& state);

} // namespace tuff::viewer
