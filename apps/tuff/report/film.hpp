#pragma once

#include "apps/shared/video.hpp"
#include "apps/tuff/report/motion_jpeg.hpp"
#include "apps/tuff/report/output_files.hpp"

#include <filesystem>
#include <variant>

/// Outputs whose frames all go to one file.
namespace tuff::cli {

/// Whether a file of this name holds a film: of pictures, by ffmpeg, or `.avi`, of JPEG files.
bool is_film_name(const std::filesystem::path& file);
/// Whether it is one of JPEG files.
bool is_jpeg_film_name(const std::filesystem::path& file);

/// A film that is being written.
class Film {
  public:
    Film(const std::filesystem::path& file, double fps);

    /// A picture, or in a film of JPEG files a buffer that begins with one. Errors: cli/video,
    /// cli/no-ffmpeg, cli/not-jpeg, image/unsupported.
    Outcome<void> add(const FetchedOutput& frame);
    Outcome<void> finish();

  private:
    std::variant<std::monostate, VideoWriter, MotionJpegWriter> writer_;
};

} // namespace tuff::cli
