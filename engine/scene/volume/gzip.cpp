#include "scene/volume/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

namespace tuff {
namespace {

/// Gzip or zlib, whichever it is.
constexpr int kEitherWindow = 15 + 32;
constexpr int kGzipWindow = 15 + 16;
/// No deflated byte stands for more.
constexpr std::uint64_t kMaxDeflateRatio = 1032;
constexpr std::size_t kInflateStep = std::size_t{1} << 18;

Bytef* zlib_bytes(const std::byte* at) {
    return reinterpret_cast<Bytef*>(const_cast<std::byte*>(at)); // zlib does not write its input
}

/// An inflating stream that ends itself.
class Inflation {
  public:
    explicit Inflation(std::span<const std::byte> input) : rest_(input) {
        is_ready_ = inflateInit2(&stream_, kEitherWindow) == Z_OK;
    }
    ~Inflation() {
        if (is_ready_) inflateEnd(&stream_);
    }
    Inflation(const Inflation&) = delete;
    Inflation& operator=(const Inflation&) = delete;

    /// How many bytes were put into `output`; fewer than it holds at the end or at damage.
    std::size_t read(std::span<std::byte> output) {
        stream_.next_out = zlib_bytes(output.data());
        stream_.avail_out = static_cast<uInt>(output.size());
        while (is_ready_ && stream_.avail_out > 0) {
            feed();
            const int state = inflate(&stream_, Z_NO_FLUSH);
            const bool is_end = state == Z_STREAM_END;
            if (state != Z_OK && !is_end) break;
            // A gzip file may be several, one after the other.
            if (is_end && (stream_.avail_in + rest_.size() == 0 || inflateReset(&stream_) != Z_OK))
                break;
        }
        return output.size() - stream_.avail_out;
    }

  private:
    void feed() {
        if (stream_.avail_in > 0) return;
        const std::size_t most = std::numeric_limits<uInt>::max();
        const auto next = rest_.first(std::min(rest_.size(), most));
        stream_.next_in = zlib_bytes(next.data());
        stream_.avail_in = static_cast<uInt>(next.size());
        rest_ = rest_.subspan(next.size());
    }

    z_stream stream_{};
    std::span<const std::byte> rest_;
    bool is_ready_ = false;
};

} // namespace

bool is_gzip(std::span<const std::byte> file) {
    return file.size() > 2 && file[0] == std::byte{0x1f} && file[1] == std::byte{0x8b};
}

std::optional<std::vector<std::byte>> inflate_part(std::span<const std::byte> compressed,
                                                   std::uint64_t offset, std::uint64_t length) {
    if ((offset + length) / kMaxDeflateRatio > compressed.size()) return std::nullopt;
    Inflation inflation(compressed);
    std::vector<std::byte> skipped(
        static_cast<std::size_t>(std::min<std::uint64_t>(offset, kInflateStep)));
    for (std::uint64_t left = offset; left > 0;) {
        const auto step = std::span(skipped).first(
            static_cast<std::size_t>(std::min<std::uint64_t>(left, skipped.size())));
        if (inflation.read(step) != step.size()) return std::nullopt;
        left -= step.size();
    }
    std::vector<std::byte> result;
    while (result.size() < length) {
        const std::size_t before = result.size();
        const std::size_t step =
            std::min<std::size_t>(static_cast<std::size_t>(length) - before, kInflateStep);
        result.resize(before + step);
        if (inflation.read(std::span(result).subspan(before)) != step) return std::nullopt;
    }
    return result;
}

std::vector<std::byte> to_gzip(std::span<const std::byte> bytes) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return {};
    std::vector<std::byte> result;
    std::array<std::byte, std::size_t{1} << 16> block;
    int state = Z_OK;
    do {
        if (stream.avail_in == 0) {
            const auto next = bytes.first(std::min(bytes.size(), std::size_t{1} << 30));
            stream.next_in = zlib_bytes(next.data());
            stream.avail_in = static_cast<uInt>(next.size());
            bytes = bytes.subspan(next.size());
        }
        stream.next_out = zlib_bytes(block.data());
        stream.avail_out = static_cast<uInt>(block.size());
        state = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
        result.insert(result.end(), block.begin(), block.end() - stream.avail_out);
    } while (state == Z_OK || state == Z_BUF_ERROR);
    deflateEnd(&stream);
    return result;
}

} // namespace tuff
