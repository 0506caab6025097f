#pragma once

namespace tuff {

/// Loads the Vulkan loader into volk: the machine's, else the one that a bundle carries in
/// lib/vulkan beside the folder of the program. False where there is neither.
bool load_vulkan_loader();

} // namespace tuff
