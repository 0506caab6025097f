#include "scene/mesh/mesh_files.hpp"

#include "core/file_access.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <system_error>

namespace tuff {

bool MeshFiles::Exists(const char* file) const {
    std::error_code ignored;
    if (auto readable = check_readable(file, confined_to_); !readable) {
        std::ranges::move(readable.error(), std::back_inserter(refused_));
        return false;
    }
    // Nobody may ever write to a pipe, and a device may never end.
    return std::filesystem::is_regular_file(file, ignored);
}

Assimp::IOStream* MeshFiles::Open(const char* file, const char* mode) {
    const bool reads = std::string_view(mode).find_first_of("wa+") == std::string_view::npos;
    return reads && Exists(file) ? DefaultIOSystem::Open(file, mode) : nullptr;
}

} // namespace tuff
