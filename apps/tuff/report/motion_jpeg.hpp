#pragma once

#include "apps/shared/common.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <vector>

/// Films of JPEG files, one a frame, in an AVI file.
namespace tuff::cli {

/// Writes AVI 1.0 with an index. The film has a temporary name until `finish`: where that is not
/// called, or fails, nothing is left behind.
class MotionJpegWriter {
  public:
    /// Offsets of more than 31 bits many players do not read.
    static constexpr std::uint64_t kMaxBytes = (std::uint64_t{1} << 31) - 1;

    MotionJpegWriter(std::filesystem::path file, double fps, std::uint64_t most_bytes = kMaxBytes)
        : file_(std::move(file)), fps_(fps), most_bytes_(most_bytes) {}
    ~MotionJpegWriter();
    MotionJpegWriter(const MotionJpegWriter&) = delete;
    MotionJpegWriter& operator=(const MotionJpegWriter&) = delete;

    /// The JPEG file at the beginning of `buffer`. Errors: cli/not-jpeg; cli/video: the picture has
    /// another size than the one before, or the film cannot be written. Where it would be longer
    /// than `most_bytes` it ends with the frame before, whole.
    Outcome<void> add(std::span<const std::byte> buffer);
    /// Error: cli/video.
    Outcome<void> finish();

  private:
    struct Frame {
        std::uint32_t offset; ///< from the list's type
        std::uint32_t bytes;
    };

    Outcome<void> begin();
    std::string header() const;
    std::unexpected<Failure> failed(const std::string& why);
    Outcome<void> full();
    void discard();

    std::filesystem::path file_;
    std::filesystem::path part_; ///< while it is made
    double fps_;
    std::uint64_t most_bytes_;
    Extent extent_;
    std::ofstream out_;
    std::vector<Frame> frames_;
    std::uint32_t movie_bytes_ = 4; ///< of the list of frames, with its type
    std::uint32_t largest_ = 0;     ///< of the frames
};

} // namespace tuff::cli
