#include "scene/volume/volume_codec.hpp"

namespace tuff::codec {
namespace {

constexpr std::string_view kNanovdbPackage = "libnanovdb-dev";

} // namespace

Result<StoredVolume> decode_nvdb(const VolumeFile&) {
    return without_library("NanoVDB", kNanovdbPackage);
}

EncodedVolume encode_nvdb(const VolumeToWrite&) {
    return without_library("NanoVDB", kNanovdbPackage);
}

} // namespace tuff::codec
