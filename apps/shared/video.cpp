#include "apps/shared/video.hpp"

#include "core/file_access.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

namespace tuff::cli {
namespace fs = std::filesystem;
namespace {

/// A pipe whose reader is gone must be an error and not the end of this process.
class NoPipeSignal {
  public:
    NoPipeSignal() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
    ~NoPipeSignal() { std::signal(SIGPIPE, before_); }
    NoPipeSignal(const NoPipeSignal&) = delete;
    NoPipeSignal& operator=(const NoPipeSignal&) = delete;

  private:
    void (*before_)(int);
};

/// As one word of a shell's command line.
std::string quoted(const fs::path& path) {
    std::string text = "'";
    // What begins with a dash would be an option.
    for (const char c : (path.is_absolute() ? path : fs::path(".") / path).string())
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

bool is_in_path(std::string_view program) {
    const char* path = std::getenv("PATH");
    std::string_view rest = path ? path : "";
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const fs::path file = fs::path(rest.substr(0, end)) / program;
        if (end > 0 && access(file.c_str(), X_OK) == 0) return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

/// Four bytes a texel, as PNG would have them.
HostImage for_video(const HostImage& image) {
    const bool stored = info(image.format).kind == NumericKind::unorm;
    return convert(image, stored ? Format::rgba8_unorm : Format::rgba8_srgb);
}

/// What ffmpeg makes of the frames.
std::string encoding(const fs::path& file, double fps) {
    if (file.extension() == ".webp")
        return "-c:v libwebp_anim -quality 90 -pix_fmt yuv420p -loop 0 -f webp";
    if (file.extension() == ".mp4")
        return "-vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' -c:v libx264 -crf 18 -pix_fmt yuv420p "
               "-movflags +faststart -f mp4";
    // GIF counts hundredths of a second, and browsers play frames of one hundredth slowly. Each
    // frame has colours of its own, so that none is kept until the last.
    constexpr double kMaxFrames = 50.0;
    return fmt::format("-vf '{}format=rgb24,split[a][b];[a]palettegen=stats_mode=single[p];"
                       "[b][p]paletteuse=new=1' -loop 0 -f gif",
                       fps > kMaxFrames ? fmt::format("fps={},", kMaxFrames) : "");
}

} // namespace

std::span<const std::string_view> video_extensions() {
    static constexpr std::array<std::string_view, 3> kExtensions = {".mp4", ".gif", ".webp"};
    return kExtensions;
}

bool is_video(const fs::path& file) {
    return std::ranges::find(video_extensions(), file.extension().string()) !=
           video_extensions().end();
}

Outcome<void> check_ffmpeg() {
    if (is_in_path("ffmpeg")) return {};
    return run_failure(fail("cli/no-ffmpeg", "films are made by ffmpeg, which is not installed",
                            "install ffmpeg, or write numbered pictures: --out 'frame_%04d.png'")
                           .error());
}

VideoWriter::~VideoWriter() {
    discard();
}

std::string VideoWriter::log() const {
    std::ifstream file(log_file_);
    std::string line;
    std::getline(file, line);
    return line;
}

void VideoWriter::discard() {
    const NoPipeSignal guard;
    if (pipe_) pclose(std::exchange(pipe_, nullptr));
    std::error_code ignored;
    for (fs::path* file : {&part_, &log_file_})
        if (const fs::path made = std::exchange(*file, {}); !made.empty())
            fs::remove(made, ignored);
}

std::unexpected<Failure> VideoWriter::failed(const std::string& why) {
    const std::string said = log();
    auto failure = run_failure(fail("cli/video",
                                    fmt::format("cannot write '{}': {}{}{}", file_.string(), why,
                                                said.empty() ? "" : ": ", said),
                                    "write numbered pictures instead: --out 'frame_%04d.png'")
                                   .error());
    discard();
    return failure;
}

Outcome<void> VideoWriter::begin(Extent extent) {
    if (auto found = check_ffmpeg(); !found) return found;
    extent_ = extent;
    for (const auto& [file, ending] : {std::pair(&part_, ".part"), std::pair(&log_file_, ".log")}) {
        auto made = new_file_beside(file_, ending);
        if (!made) return failed(made.error().message());
        *file = std::move(*made);
    }
    const std::string command = fmt::format(
        "exec ffmpeg -hide_banner -loglevel error -y -f rawvideo -pixel_format rgba -video_size "
        "{}x{} -framerate {} -i - -an {} {} 2>{}",
        extent.width, extent.height, fps_, encoding(file_, fps_), quoted(part_), quoted(log_file_));
    pipe_ = popen(command.c_str(), "w");
    if (!pipe_) return failed("ffmpeg could not be started");
    return {};
}

Outcome<void> VideoWriter::add(const HostImage& image) {
    const NumericKind kind = info(image.format).kind;
    if (image.extent.depth != 1 || kind == NumericKind::uint || kind == NumericKind::sint)
        return failed("the output is no picture");
    if (!pipe_)
        if (auto begun = begin(image.extent); !begun) return begun;
    if (image.extent != extent_) return failed("the picture's size has changed");
    const HostImage frame = for_video(image);
    const NoPipeSignal guard;
    if (std::fwrite(frame.texels.data(), 1, frame.texels.size(), pipe_) != frame.texels.size())
        return failed("ffmpeg stopped reading");
    return {};
}

Outcome<void> VideoWriter::finish() {
    const NoPipeSignal guard;
    if (!pipe_) return failed("there was no frame");
    if (pclose(std::exchange(pipe_, nullptr)) != 0) return failed("ffmpeg failed");
    std::error_code error;
    fs::rename(part_, file_, error);
    if (error) return failed(error.message());
    discard(); // what ffmpeg said
    return {};
}

} // namespace tuff::cli
