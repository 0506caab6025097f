#include "scene/volume/volume_codec.hpp"

#include <algorithm>
#include <array>

namespace tuff::codec {
namespace {

constexpr std::string_view kVdbPackage = "libopenvdb-dev";

} // namespace

bool is_vdb(std::span<const std::byte> file) {
    constexpr std::array kMagic = {std::byte{0x20}, std::byte{0x42}, std::byte{0x44},
                                   std::byte{0x56}};
    return file.size() > kMagic.size() && std::ranges::equal(file.first(kMagic.size()), kMagic);
}

Result<StoredVolume> decode_vdb(const VolumeFile&) {
    return without_library("OpenVDB", kVdbPackage);
}

EncodedVolume encode_vdb(const VolumeToWrite&) {
    return without_library("OpenVDB", kVdbPackage);
}

} // namespace tuff::codec
