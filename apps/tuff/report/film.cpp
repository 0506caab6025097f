#include "apps/tuff/report/film.hpp"

#include "scene/files.hpp"
#include "scene/image/image_codec.hpp"

namespace tuff::cli {

bool is_jpeg_film_name(const std::filesystem::path& file) {
    return lower_extension(file) == ".avi";
}

bool is_film_name(const std::filesystem::path& file) {
    return is_video(file) || is_jpeg_film_name(file);
}

Film::Film(const std::filesystem::path& file, double fps) {
    if (is_jpeg_film_name(file))
        writer_.emplace<MotionJpegWriter>(file, fps);
    else
        writer_.emplace<VideoWriter>(file, fps);
}

Outcome<void> Film::add(const FetchedOutput& frame) {
    if (auto* jpegs = std::get_if<MotionJpegWriter>(&writer_)) {
        if (!frame.is_image) return jpegs->add(frame.bytes);
        const auto file = codec::encode_file(frame.image, ".jpg");
        if (!file) return run_failure(file.error());
        return jpegs->add(*file);
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
