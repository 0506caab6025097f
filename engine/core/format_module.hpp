#pragma once

#include <filesystem>
#include <string_view>

namespace tuff {

/// A file of Tuff's that the engine loads when it needs it, as its library is large or of many
/// parts: "mpi.so". It lies in lib/tuff, seen from the program or from the engine's library. Empty
/// where this Tuff was built without it.
std::filesystem::path tuff_library(std::string_view name);
/// The same of those that read files, which lie beside the modules of passes: "openvdb.so".
std::filesystem::path format_module(std::string_view name);
/// A function of such a file; null where there is none.
void* format_function(std::string_view module, const char* function);

} // namespace tuff
