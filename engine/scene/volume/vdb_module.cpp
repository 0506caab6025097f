// OpenVDB brings threads of its own, from the moment it is loaded, and crashes on damaged files. So
// it is loaded when the first such file comes, and read with in a process of its own.
#include "core/format_module.hpp"
#include "scene/volume/isolated.hpp"
#include "scene/volume/volume_codec.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace tuff::codec {
namespace {

using Decode = void (*)(const VolumeFile&, Result<StoredVolume>&);
using Encode = void (*)(const VolumeToWrite&, EncodedVolume&);

/// A function of the module; null where this Tuff was built without it.
template <typename Function>
Function vdb_function(const char* name) {
    return reinterpret_cast<Function>(format_function("openvdb.so", name));
}

std::unexpected<Diagnostics> without_openvdb() {
    return without_library("OpenVDB", "libopenvdb-dev");
}

Result<StoredVolume> decode_here(const VolumeFile& file) {
    const auto decode = vdb_function<Decode>("tuff_decode_vdb");
    if (!decode) return without_openvdb();
    Result<StoredVolume> volume;
    decode(file, volume);
    return volume;
}

} // namespace

bool is_vdb(std::span<const std::byte> file) {
    constexpr std::array kMagic = {std::byte{0x20}, std::byte{0x42}, std::byte{0x44},
                                   std::byte{0x56}};
    return file.size() > kMagic.size() && std::ranges::equal(file.first(kMagic.size()), kMagic);
}

Result<StoredVolume> decode_vdb(const VolumeFile& file) {
    // Leaves are all that a file need not spell out: 64 bytes of it make at most 12 KiB.
    constexpr std::uint64_t kBase = std::uint64_t{512} << 20; // the library among it
    constexpr std::uint64_t kMaxForLeaves = std::uint64_t{3} << 30;
    constexpr std::uint64_t kLeafRatio = 256;
    const std::uint64_t leaves =
        std::min(std::uint64_t{file.bytes.size()} * kLeafRatio, kMaxForLeaves);
    return read_isolated(file.name(), kBase + leaves, file.bytes.size(),
                         [&] { return decode_here(file); });
}

EncodedVolume encode_vdb(const VolumeToWrite& volume) {
    const auto encode = vdb_function<Encode>("tuff_encode_vdb");
    if (!encode) return without_openvdb();
    EncodedVolume file;
    encode(volume, file);
    return file;
}

} // namespace tuff::codec
