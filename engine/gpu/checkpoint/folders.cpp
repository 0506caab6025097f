#include "gpu/checkpoint/folders.hpp"

#include <fmt/format.h>

namespace tuff {

namespace fs = std::filesystem;

fs::path without_slash(const fs::path& folder) {
    return folder.has_filename() ? folder : folder.parent_path();
}

fs::path parent_of(const fs::path& folder) {
    const fs::path parent = without_slash(folder).parent_path();
    return parent.empty() ? fs::path(".") : parent;
}

fs::path beside(const fs::path& folder, std::string_view ending) {
    return parent_of(folder) /
           fmt::format(".{}{}", without_slash(folder).filename().string(), ending);
}

} // namespace tuff
