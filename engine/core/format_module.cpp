#include "core/format_module.hpp"

#include <dlfcn.h>

#include <string>

namespace tuff {

std::filesystem::path tuff_library(std::string_view name) {
    Dl_info here{};
    if (dladdr(reinterpret_cast<const void*>(&tuff_library), &here) == 0) return {};
    std::error_code ignored;
    const std::filesystem::path folder =
        std::filesystem::canonical(here.dli_fname, ignored).parent_path();
    for (const char* below : {"../lib/tuff", "tuff", "lib/tuff", "../../lib/tuff"}) {
        std::filesystem::path file = folder / below / name;
        if (std::filesystem::exists(file, ignored)) return file;
    }
    return {};
}

std::filesystem::path format_module(std::string_view name) {
    return tuff_library("formats/" + std::string(name));
}

void* format_function(std::string_view module, const char* function) {
    const std::filesystem::path file = format_module(module);
    if (file.empty()) return nullptr;
    // Never closed: what a library has begun may not end well.
    void* const opened = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    return opened ? dlsym(opened, function) : nullptr;
}

} // namespace tuff
