#include "scene/volume/gzip.hpp"
#include "scene/volume/volume_codec.hpp"

#include <filesystem>

namespace tuff::codec {
namespace {

constexpr std::string_view kNiftiPackage = "libnifti2-dev";

} // namespace

bool is_nifti(std::span<const std::byte> file) {
    constexpr std::size_t kNifti1Bytes = 348;
    const auto head = is_gzip(file) ? inflate_part(file, 0, kNifti1Bytes)
                                    : std::optional(std::vector(file.begin(), file.end()));
    if (!head || head->size() < kNifti1Bytes) return false;
    const std::string_view text(reinterpret_cast<const char*>(head->data()), head->size());
    return text.substr(344, 3) == "n+1" || text.substr(4, 3) == "n+2";
}

Result<StoredVolume> decode_nifti(const VolumeFile&) {
    return without_library("NIfTI", kNiftiPackage);
}

EncodedVolume encode_nifti(const VolumeToWrite&) {
    return without_library("NIfTI", kNiftiPackage);
}

} // namespace tuff::codec
