#include "apps/tuff/report/motion_jpeg.hpp"

#include "apps/shared/jpeg_file.hpp"
#include "core/file_access.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <utility>

namespace tuff::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::uint32_t kHasIndex = 0x10;
constexpr std::uint32_t kKeyFrame = 0x10;

/// Numbers, least significant byte first, and four-letter names.
class Chunk {
  public:
    Chunk& name(std::string_view letters) { return bytes_ += letters, *this; }
    Chunk& word(std::uint32_t value) {
        for (int i = 0; i < 4; ++i)
            bytes_ += static_cast<char>(value >> (8 * i) & 0xffu);
        return *this;
    }
    Chunk& half(std::uint32_t value) {
        bytes_ += static_cast<char>(value & 0xffu);
        bytes_ += static_cast<char>(value >> 8 & 0xffu);
        return *this;
    }
    Chunk& zeros(int words) {
        for (int i = 0; i < words; ++i)
            word(0);
        return *this;
    }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

std::string list(std::string_view type, const std::string& contents) {
    return Chunk()
               .name("LIST")
               .word(static_cast<std::uint32_t>(4 + contents.size()))
               .name(type)
               .take() +
           contents;
}
std::string chunk(std::string_view name, const std::string& contents) {
    return Chunk().name(name).word(static_cast<std::uint32_t>(contents.size())).take() + contents;
}

} // namespace

MotionJpegWriter::~MotionJpegWriter() {
    discard();
}

void MotionJpegWriter::discard() {
    out_.close();
    std::error_code ignored;
    if (const fs::path made = std::exchange(part_, {}); !made.empty()) fs::remove(made, ignored);
}

std::unexpected<Failure> MotionJpegWriter::failed(const std::string& why) {
    auto failure =
        run_failure(fail("cli/video", fmt::format("cannot write '{}': {}", file_.string(), why),
                         "write numbered pictures instead: --out 'frame_%04d.jpg'")
                        .error());
    discard();
    return failure;
}

/// All that comes before the frames. It has the same length whatever it says.
std::string MotionJpegWriter::header() const {
    const auto frames = static_cast<std::uint32_t>(frames_.size());
    const auto rate = static_cast<std::uint32_t>(std::lround(fps_ * 1000.0));
    const std::string main =
        chunk("avih", Chunk()
                          .word(static_cast<std::uint32_t>(std::lround(1e6 / fps_)))
                          .word(static_cast<std::uint32_t>(fps_ * largest_))
                          .word(0)
                          .word(kHasIndex)
                          .word(frames)
                          .word(0)
                          .word(1) // stream
                          .word(largest_)
                          .word(extent_.width)
                          .word(extent_.height)
                          .zeros(4)
                          .take());
    const std::string stream = chunk("strh", Chunk()
                                                 .name("vids")
                                                 .name("MJPG")
                                                 .zeros(3)
                                                 .word(1000)
                                                 .word(rate)
                                                 .word(0)
                                                 .word(frames)
                                                 .word(largest_)
                                                 .word(~0u) // no quality in particular
                                                 .word(0)
                                                 .zeros(1)
                                                 .half(extent_.width)
                                                 .half(extent_.height)
                                                 .take());
    const std::string format = chunk("strf", Chunk()
                                                 .word(40)
                                                 .word(extent_.width)
                                                 .word(extent_.height)
                                                 .half(1)
                                                 .half(24)
                                                 .name("MJPG")
                                                 .word(extent_.width * extent_.height * 3)
                                                 .zeros(4)
                                                 .take());
    const std::string heads = list("hdrl", main + list("strl", stream + format));
    const auto index_bytes = static_cast<std::uint32_t>(8 + 16 * frames_.size());
    const auto all = static_cast<std::uint32_t>(4 + heads.size() + 8 + movie_bytes_ + index_bytes);
    return Chunk().name("RIFF").word(all).name("AVI ").take() + heads +
           Chunk().name("LIST").word(movie_bytes_).name("movi").take();
}

Outcome<void> MotionJpegWriter::begin() {
    auto made = new_file_beside(file_, ".part");
    if (!made) return failed(made.error().message());
    part_ = std::move(*made);
    out_.open(part_, std::ios::binary | std::ios::trunc);
    out_ << header();
    return {};
}

Outcome<void> MotionJpegWriter::add(std::span<const std::byte> buffer) {
    auto file = find_jpeg(buffer);
    if (!file) {
        discard();
        return run_failure(std::move(file.error()));
    }
    if (frames_.empty()) {
        extent_ = file->extent;
        if (auto begun = begin(); !begun) return begun;
    }
    if (file->extent != extent_) return failed("the picture's size has changed");
    const std::size_t bytes = file->bytes.size();
    constexpr std::uint64_t kHeaders = 512; // more than all that is neither frames nor index
    const std::uint64_t index_bytes = 16 * (frames_.size() + 1);
    if (movie_bytes_ + bytes + 9 + index_bytes + kHeaders > most_bytes_) return full();
    frames_.push_back({movie_bytes_, static_cast<std::uint32_t>(bytes)});
    largest_ = std::max(largest_, frames_.back().bytes);
    out_ << Chunk().name("00dc").word(frames_.back().bytes).take()
         << std::string_view(reinterpret_cast<const char*>(file->bytes.data()), bytes);
    if (bytes % 2 != 0) out_ << '\0';
    movie_bytes_ += 8 + frames_.back().bytes + frames_.back().bytes % 2;
    if (!out_) return failed("the disc may be full");
    return {};
}

/// Keeps what there is.
Outcome<void> MotionJpegWriter::full() {
    const std::size_t frames = frames_.size();
    if (frames == 0) return failed("a frame is longer than an AVI film may be");
    if (auto finished = finish(); !finished) return finished;
    return run_failure(
        fail("cli/video",
             fmt::format("'{}' ends after {} frames, as long as an AVI film may be: {} bytes",
                         file_.string(), frames, most_bytes_),
             "write the rest, --frames FIRST:END, to another film, or numbered pictures")
            .error());
}

Outcome<void> MotionJpegWriter::finish() {
    if (frames_.empty()) return failed("there was no frame");
    Chunk entries;
    for (const Frame& frame : frames_)
        entries.name("00dc").word(kKeyFrame).word(frame.offset).word(frame.bytes);
    out_ << chunk("idx1", entries.take());
    out_.seekp(0);
    out_ << header();
    out_.close();
    if (!out_) return failed("the disc may be full");
    std::error_code error;
    fs::rename(part_, file_, error);
    if (error) return failed(error.message());
    part_.clear();
    return {};
}

} // namespace tuff::cli
