#include "apps/shared/jpeg_file.hpp"

#include <cstdint>

namespace tuff::cli {
namespace {

constexpr std::uint32_t kStart = 0xd8;
constexpr std::uint32_t kEnd = 0xd9;
constexpr std::uint32_t kScan = 0xda;

bool is_frame(std::uint32_t marker) {
    // SOF0 to SOF15, without the tables that have numbers among them.
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

/// Reads markers; what lies beyond the end is 0, which is none.
class Markers {
  public:
    explicit Markers(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::uint32_t byte(std::size_t at) const {
        return at < bytes_.size() ? static_cast<std::uint32_t>(bytes_[at]) : 0;
    }
    std::uint32_t word(std::size_t at) const { return byte(at) << 8 | byte(at + 1); }
    /// The marker at `at`, or 0.
    std::uint32_t marker(std::size_t at) const { return byte(at) == 0xff ? byte(at + 1) : 0; }
    /// Behind entropy-coded data, at the next marker that is no restart.
    std::size_t after_scan(std::size_t at) const {
        while (at < bytes_.size()) {
            const std::uint32_t found = marker(at);
            if (found != 0 && (found < 0xd0 || found > 0xd7)) break;
            ++at;
        }
        return at;
    }

  private:
    std::span<const std::byte> bytes_;
};

} // namespace

Result<JpegFile> find_jpeg(std::span<const std::byte> buffer) {
    const Markers markers(buffer);
    JpegFile file;
    std::size_t at = 2;
    while (markers.marker(0) == kStart && markers.marker(at) != 0) {
        const std::uint32_t marker = markers.marker(at);
        if (marker == kEnd) {
            file.bytes = buffer.first(at + 2);
            return file;
        }
        if (is_frame(marker)) file.extent = {markers.word(at + 7), markers.word(at + 5)};
        at += 2 + std::size_t{markers.word(at + 2)};
        if (marker == kScan) at = markers.after_scan(at);
    }
    return fail(
        "cli/not-jpeg", "the buffer holds no whole JPEG file",
        "write the output \"file\" of jpeg/encode; if it ran out of room, a warning reports "
        "that");
}

} // namespace tuff::cli
