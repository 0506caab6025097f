#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The shared libraries of the running program: what `tuff bundle` takes along.
namespace tuff::cli {

enum class LibraryKind : std::uint8_t {
    system,  ///< the C library and its parts, which belong to the kernel and the dynamic linker
    runtime, ///< what drivers are linked with, too: the machine's own goes first where it will do
    own,     ///< everything else
};
/// By the name of its file, "libfmt.so.9".
LibraryKind kind_of(std::string_view file_name);

/// The files that the dynamic linker has loaded for this process, the program itself left out.
/// Empty on systems that do not tell.
std::vector<std::filesystem::path> loaded_libraries();

/// Those of a program that does not run: nothing of it is executed. Empty where it cannot be told.
std::vector<std::filesystem::path> libraries_of(const std::filesystem::path& program);

/// The file of the Vulkan loader, where the machine has one.
std::optional<std::filesystem::path> vulkan_loader();

/// The newest version of the C library that `contents`, the bytes of a program or a library, refers
/// to: "2.36". Empty where it refers to none.
std::string needed_glibc(std::string_view contents);

/// The newer of two versions such as `needed_glibc` gives; an empty one is older than all.
std::string newer_version(std::string a, std::string b);

} // namespace tuff::cli
