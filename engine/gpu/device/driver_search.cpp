#include "gpu/device/driver_search.hpp"

#include <tuff_config.hpp>

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace tuff {
namespace {

#ifdef _WIN32
constexpr char kPathSeparator = ';';
void set_environment(const char* name, const std::string& value) {
    _putenv_s(name, value.c_str());
}
void clear_environment(const char* name) {
    _putenv_s(name, "");
}
#else
constexpr char kPathSeparator = ':';
void set_environment(const char* name, const std::string& value) {
    setenv(name, value.c_str(), 1);
}
void clear_environment(const char* name) {
    unsetenv(name);
}
#endif

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::string manifest(const char* variable, std::string_view configured) {
    std::string path = environment(variable);
    if (path.empty()) path = configured;
    std::error_code ignored;
    if (path.empty() || !std::filesystem::is_regular_file(path, ignored)) return {};
    // A manifest names its library relative to itself, and the loader resolves that only from a
    // full path.
    return std::filesystem::absolute(path, ignored).string();
}

} // namespace

std::string swiftshader_manifest() {
    return manifest("TUFF_SWIFTSHADER_ICD", build_config::kSwiftShaderIcd);
}
std::string lavapipe_manifest() {
    return manifest("TUFF_LAVAPIPE_ICD", build_config::kLavapipeIcd);
}

ScopedDriverSearch::ScopedDriverSearch(DriverSet drivers) {
    if (!environment("VK_DRIVER_FILES").empty() || !environment("VK_ICD_FILENAMES").empty()) return;
    const std::string software =
        drivers == DriverSet::lavapipe ? lavapipe_manifest() : swiftshader_manifest();
    if (software.empty()) return;
    if (drivers != DriverSet::all) {
        set("VK_DRIVER_FILES", software);
        return;
    }
    const std::string added = environment("VK_ADD_DRIVER_FILES");
    set("VK_ADD_DRIVER_FILES", added.empty() ? software : added + kPathSeparator + software);
}

ScopedDriverSearch::~ScopedDriverSearch() {
    for (const Saved& saved : saved_) {
        if (saved.value)
            set_environment(saved.name, *saved.value);
        else
            clear_environment(saved.name);
    }
}

void ScopedDriverSearch::set(const char* name, const std::string& value) {
    const char* before = std::getenv(name);
    saved_.push_back({name, before ? std::optional<std::string>(before) : std::nullopt});
    set_environment(name, value);
}

} // namespace tuff
