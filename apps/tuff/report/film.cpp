#include "apps/tuff/report/film.hpp"

namespace tuff::cli {
namespace {

bool is_avi(const std::filesystem::path& file) {
    return file.extension() == ".avi";
}

} // namespace

bool is_film_name(const std::filesystem::path& file) {
    return is_video(file) || is_avi(file);
}

Film::Film(const std::filesystem::path& file, double fps) {
    if (is_avi(file))
        writer_.emplace<MotionJpegWriter>(file, fps);
    else
        writer_.emplace<VideoWriter>(file, fps);
}

Outcome<void> Film::add(const FetchedOutput& frame) {
    if (auto* jpegs = std::get_if<MotionJpegWriter>(&writer_)) {
        if (!frame.is_image) return jpegs->add(frame.bytes);
        return run_failure(fail("cli/video",
                                "an AVI film is made of JPEG files, and the output is a picture",
                                "connect jpeg/encode to it, or write an .mp4")
                               .error());
    }
    if (frame.is_image) return std::get<VideoWriter>(writer_).add(frame.image);
    return run_failure(fail("cli/video", "a film is made of pictures, and the output is a buffer",
                            "JPEG files of jpeg/encode make an .avi")
                           .error());
}

Outcome<void> Film::finish() {
    if (auto* jpegs = std::get_if<MotionJpegWriter>(&writer_)) return jpegs->finish();
    return std::get<VideoWriter>(writer_).finish();
}

} // namespace tuff::cli
