#pragma once

#include "apps/shared/common.hpp"

#include <tuff/image.hpp>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

/// Films: frames of a run as an MP4, GIF or WebP file, by the program ffmpeg.
namespace tuff::cli {

/// ".mp4" and others.
std::span<const std::string_view> video_extensions();

/// Whether a file of this name is a film.
bool is_video(const std::filesystem::path& file);

/// Tells before a long run that there is no ffmpeg to make a film with. Error: cli/no-ffmpeg.
Outcome<void> check_ffmpeg();

/// Feeds frames to ffmpeg; GIF and WebP play over and over. The film has a temporary name until
/// `finish`: where that is not called, or fails, nothing is left behind.
class VideoWriter {
  public:
    explicit VideoWriter(std::filesystem::path file, double fps)
        : file_(std::move(file)), fps_(fps) {}
    ~VideoWriter();
    VideoWriter(const VideoWriter&) = delete;
    VideoWriter& operator=(const VideoWriter&) = delete;

    /// Colours as `save_image` writes them to PNG; transparency is dropped. Sides that are odd are
    /// a texel longer in an MP4. Errors: cli/no-ffmpeg, cli/video: ffmpeg failed, the image has
    /// another size than the one before, or is no picture.
    Outcome<void> add(const HostImage& image);
    /// Error: cli/video.
    Outcome<void> finish();

  private:
    Outcome<void> begin(Extent extent);
    std::unexpected<Failure> failed(const std::string& why);
    void discard();
    std::string log() const;

    std::filesystem::path file_;
    std::filesystem::path part_, log_file_; ///< while it is made
    double fps_;
    Extent extent_;
    std::FILE* pipe_ = nullptr;
};

} // namespace tuff::cli
