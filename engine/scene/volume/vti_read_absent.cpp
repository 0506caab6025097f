#include "scene/volume/volume_codec.hpp"

#include <algorithm>

namespace tuff::codec {

bool is_vti(std::span<const std::byte> file) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()),
                                std::min<std::size_t>(file.size(), 1024));
    return text.contains("<VTKFile");
}

Result<StoredVolume> decode_vti(const VolumeFile&) {
    return without_library("VTI", "libpugixml-dev");
}

} // namespace tuff::codec
