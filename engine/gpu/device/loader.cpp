#include "gpu/device/loader.hpp"

#include "gpu/device/vulkan.hpp"

#include <filesystem>
#include <system_error>

#ifdef __linux__
#include <dlfcn.h>
#endif

namespace tuff {
namespace {

#ifdef __linux__
bool load_bundled_loader() {
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) return false;
    const std::filesystem::path file =
        program.parent_path().parent_path() / "lib" / "vulkan" / "libvulkan.so.1";
    // Stays open: what volk has loaded from it is used as long as the process lives.
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    const auto entry =
        reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
    if (!entry) return false;
    volkInitializeCustom(entry);
    return volkGetInstanceVersion() != 0;
}
#else
bool load_bundled_loader() {
    return false;
}
#endif

} // namespace

bool load_vulkan_loader() {
    return volkInitialize() == VK_SUCCESS || load_bundled_loader();
}

} // namespace tuff
