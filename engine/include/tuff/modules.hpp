#pragma once

#include <tuff/diagnostic.hpp>
#include <tuff/version.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

class PassRegistry;
struct EmbeddedShader;

/// A domain of passes and their kernels: "fluid". The CMake function `tuff_add_module(fluid)` makes
/// one from a folder of passes and a folder of kernels, as a library to link, which has
/// `const tuff::Module& tuff_module_fluid()`, and as a file that programs load.
struct Module {
    std::string_view name; ///< the part before '/' in the names of its passes and kernels
    void (*add_passes)(PassRegistry& registry);       ///< adds all passes
    std::span<const EmbeddedShader> (*shaders)();     ///< all kernels
    std::span<const Module* const> (*dependencies)(); ///< modules whose passes and kernels it uses
};

/// The modules that a program knows: linked ones, those of folders, which are loaded
/// on first use, and files that the user names. Thread-safe.
/// Modules stay loaded until the program ends.
class Modules {
  public:
    /// The linked modules and their dependencies.
    explicit Modules(std::span<const Module* const> linked = {});
    ~Modules();
    Modules(const Modules&) = delete;
    Modules& operator=(const Modules&) = delete;

    /// Adds the modules of a folder: `fluid.so` is the module "fluid". A missing folder has
    /// none. Files are loaded on first use.
    void add_folder(const std::filesystem::path& folder);
    /// Loads a user's module. Errors: `module/unreadable`, `module/not-a-module`,
    /// `module/wrong-version`, `module/wrong-compiler`, `module/load-failed`, and
    /// `module/two-of-one-name` if a module or a pass of its name is known already.
    Result<void> add_file(const std::filesystem::path& file);

    /// The module of that name, or null. Errors: those of `add_file`.
    Result<const Module*> find(std::string_view name);
    /// The names of all modules, loaded or not, sorted.
    std::vector<std::string> names() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// @cond
// Version and compiler of a module, as text: they must be equal in a program and its modules.
// Part of every module file, where they are read before any of its code runs.
#define TUFF_MODULE_STRINGIFY_(x) #x
#define TUFF_MODULE_STRINGIFY(x) TUFF_MODULE_STRINGIFY_(x)
#if defined(__clang__)
#define TUFF_MODULE_COMPILER "clang " TUFF_MODULE_STRINGIFY(__clang_major__)
#elif defined(__GNUC__)
#define TUFF_MODULE_COMPILER "g++ " TUFF_MODULE_STRINGIFY(__GNUC__)
#else
#define TUFF_MODULE_COMPILER "another compiler"
#endif
#define TUFF_MODULE_VERSION                                                                        \
    TUFF_MODULE_STRINGIFY(TUFF_VERSION_MAJOR)                                                      \
    "." TUFF_MODULE_STRINGIFY(TUFF_VERSION_MINOR) "." TUFF_MODULE_STRINGIFY(TUFF_VERSION_PATCH)
/// @endcond

} // namespace tuff
