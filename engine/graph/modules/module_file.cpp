#include "graph/modules/module_file.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>

namespace tuff {
namespace {

namespace fs = std::filesystem;

/// What a module's file says of itself between the marker and the zero byte:
/// "0.1.0;g++ 12;fluid". Written by cmake/module_entry.cpp.in.
struct Label {
    std::string version;
    std::string compiler;
    std::string name;
};

/// In two parts, so that the library that holds this code is no module.
std::string marker() {
    return fmt::format("{}-label:", "tuff-module");
}

Result<std::string> read_file(const fs::path& file) {
    std::error_code ignored;
    std::ifstream stream(file, std::ios::binary);
    if (!stream || !fs::is_regular_file(file, ignored))
        return fail("module/unreadable", fmt::format("cannot read the module {}", file.string()),
                    "give the file of a module, such as build/mine.so");
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

Result<Label> label_of(const fs::path& file) {
    const auto bytes = read_file(file);
    if (!bytes) return std::unexpected(bytes.error());
    const auto none = [&] {
        return fail("module/not-a-module",
                    fmt::format("{} is not a module of passes", file.string()),
                    "a module is what the CMake function tuff_add_module makes");
    };
    if (!bytes->starts_with("\x7f"
                            "ELF"))
        return none();
    const std::string mark = marker();
    const auto at = std::search(bytes->begin(), bytes->end(),
                                std::boyer_moore_horspool_searcher(mark.begin(), mark.end()));
    if (at == bytes->end()) return none();
    const std::string text(&*at + mark.size()); // up to the zero byte, or the end
    const std::size_t first = text.find(';');
    const std::size_t second = text.find(';', first + 1);
    if (first == std::string::npos || second == std::string::npos) return none();
    return Label{.version = text.substr(0, first),
                 .compiler = text.substr(first + 1, second - first - 1),
                 .name = text.substr(second + 1)};
}

} // namespace

Result<std::string> name_of_module_file(const fs::path& file) {
    auto label = label_of(file);
    if (!label) return propagate(std::move(label));
    if (label->version != TUFF_MODULE_VERSION)
        return fail("module/wrong-version",
                    fmt::format("{} was built for Tuff {}, and this is Tuff {}", file.string(),
                                label->version, TUFF_MODULE_VERSION),
                    "build the module against this version");
    if (label->compiler != TUFF_MODULE_COMPILER)
        return fail("module/wrong-compiler",
                    fmt::format("{} was built by {}, and Tuff by {}", file.string(),
                                label->compiler, TUFF_MODULE_COMPILER),
                    "build the module by the compiler that built Tuff");
    return std::move(label->name);
}

Result<const Module*> load_module_file(const fs::path& file, std::string_view expected_name) {
    const auto name = name_of_module_file(file);
    if (!name) return std::unexpected(name.error());
    if (*name != expected_name)
        return fail(
            "module/not-a-module",
            fmt::format("{} is the module \"{}\", not \"{}\"", file.string(), *name, expected_name),
            "a module's file has the module's name");
    std::error_code ignored;
    const auto failed = [&] {
        const char* why = dlerror();
        return fail("module/load-failed",
                    fmt::format("cannot load the module {}: {}", file.string(),
                                why ? why : "no reason is known"),
                    "build the module again, against this Tuff and the libraries of this machine");
    };
    // Never unloaded: descriptions of passes hold pointers into it.
    void* handle = dlopen(fs::absolute(file, ignored).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return failed();
    using Entry = const Module* (*)();
    const auto entry = reinterpret_cast<Entry>(dlsym(handle, "tuff_loadable_module"));
    if (!entry) return failed();
    return entry();
}

} // namespace tuff
