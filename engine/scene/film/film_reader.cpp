#include "scene/film/film_reader.hpp"

#include "core/parse_number.hpp"
#include "scene/files.hpp"

#include <tuff/file_kinds.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

extern char** environ;

namespace tuff {
namespace {

constexpr int kStallMs = 60'000;
/// Reading on is cheaper than beginning again up to about here.
constexpr std::uint64_t kMaxSkipped = 256;

/// Files of films, and none that name other files: playlists, lists of pictures, scripts.
constexpr const char* kContainers = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,gif,apng,mpeg,"
                                    "mpegvideo,mpegts,ogg,flv,asf,ivf,h264,hevc,obu,m4v,"
                                    "yuv4mpegpipe";

/// A program under way; what it writes is read from `output`.
struct Started {
    pid_t process = -1;
    int output = -1;
    int error = 0; ///< errno where it could not be started
};

/// Starts a program of the PATH; its messages go to the file `log`.
Started start_program(std::vector<std::string> words, int log) {
    Started started;
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return {.error = errno};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, log, STDERR_FILENO);
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    started.error =
        posix_spawnp(&started.process, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (started.error == 0) {
        started.output = ends[0];
    } else {
        close(ends[0]);
        started.process = -1;
    }
    return started;
}

std::unexpected<Diagnostics> not_started(const std::string& program, int error) {
    return fail("film/no-ffmpeg",
                error == ENOENT
                    ? fmt::format("films are read by {}, which is not installed", program)
                    : fmt::format("{} cannot be started: {}", program, std::strerror(error)),
                "install ffmpeg, or name a sequence of pictures: {\"image\": \"frame_%04d.png\"}");
}

/// The end of a program: its exit status; -1 where a signal ended it.
int wait_for(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// "WIDTH 320" of a PAM header.
std::uint32_t number_after(std::string_view header, std::string_view key) {
    const std::size_t at = header.find(key);
    if (at == std::string_view::npos) return 0;
    const std::string_view rest = header.substr(at + key.size());
    return parse_number<std::uint32_t>(rest.substr(0, rest.find('\n'))).value_or(0);
}

} // namespace

std::span<const std::string_view> film_extensions() {
    static constexpr std::array<std::string_view, 14> kAll = {
        ".mp4", ".m4v",  ".mov", ".webm", ".mkv", ".avi", ".gif",
        ".mpg", ".mpeg", ".ogv", ".flv",  ".wmv", ".ivf", ".y4m"};
    return kAll;
}

bool is_film_file(const std::filesystem::path& path) {
    return std::ranges::count(film_extensions(), lower_extension(path)) > 0;
}

std::string FilmReader::log() const {
    std::array<char, 512> text{};
    const ssize_t size = pread(log_, text.data(), text.size(), 0);
    std::string_view said(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    said = said.substr(0, said.find('\n'));
    return std::string(said);
}

std::unexpected<Diagnostics> FilmReader::damaged(const std::string& why) const {
    const std::string said = log();
    return fail("film/damaged",
                fmt::format("the film '{}' cannot be read: {}{}{}", file_.string(), why,
                            said.empty() ? "" : ": ", said),
                "play it, or have ffmpeg convert it");
}

Result<std::uint64_t> FilmReader::count() {
    if (count_ != 0) return count_;
    if (log_ < 0) log_ = memfd_create("film", MFD_CLOEXEC);
    const Started probe = start_program(
        {"ffprobe", "-v", "error", "-protocol_whitelist", "file", "-format_whitelist", kContainers,
         "-select_streams", "v:0", "-count_packets", "-show_entries", "stream=nb_read_packets",
         "-of", "default=noprint_wrappers=1:nokey=1", "file:" + file_.string()},
        log_);
    if (probe.process < 0) return not_started("ffprobe", probe.error);
    std::string answer;
    std::array<char, 64> some{};
    for (ssize_t got = 0; (got = read(probe.output, some.data(), some.size())) > 0;)
        answer.append(some.data(), static_cast<std::size_t>(got));
    close(probe.output);
    const int status = wait_for(probe.process);
    count_ = parse_number<std::uint64_t>(answer.substr(0, answer.find('\n'))).value_or(0);
    if (status != 0 || count_ == 0) {
        count_ = 0;
        return damaged(status == 0 ? "it has no pictures" : "ffprobe failed");
    }
    return count_;
}

Result<void> FilmReader::start(std::uint64_t first) {
    stop();
    if (log_ < 0) log_ = memfd_create("film", MFD_CLOEXEC);
    std::vector<std::string> words = {"ffmpeg",
                                      "-nostdin",
                                      "-v",
                                      "error",
                                      "-protocol_whitelist",
                                      "file",
                                      "-format_whitelist",
                                      kContainers,
                                      "-i",
                                      "file:" + file_.string(),
                                      "-map",
                                      "0:v:0"};
    if (first > 0) {
        words.emplace_back("-vf");
        words.push_back(fmt::format("select=gte(n\\,{})", first));
    }
    // Each picture as it is stored, none twice and none left out, with its size before it.
    for (const char* word : {"-vsync", "passthrough", "-f", "image2pipe", "-c:v", "pam", "-pix_fmt",
                             "rgba", "-protocol_whitelist", "pipe", "pipe:1"})
        words.emplace_back(word);
    const Started started = start_program(std::move(words), log_);
    if (started.process < 0) return not_started("ffmpeg", started.error);
    process_ = started.process;
    pictures_ = started.output;
    next_ = first;
    buffer_.clear();
    used_ = 0;
    return {};
}

void FilmReader::stop() {
    if (process_ > 0) {
        kill(process_, SIGKILL);
        wait_for(process_);
        process_ = -1;
    }
    for (int* file : {&pictures_, &log_})
        if (*file >= 0) close(std::exchange(*file, -1));
}

/// False at the end of the film, before the first byte.
Result<bool> FilmReader::read_bytes(void* data, std::size_t size) {
    char* to = static_cast<char*>(data);
    std::size_t done = 0;
    while (done < size) {
        if (used_ == buffer_.size()) {
            pollfd waiting{.fd = pictures_, .events = POLLIN, .revents = 0};
            const int ready = poll(&waiting, 1, kStallMs);
            if (ready < 0 && errno == EINTR) continue;
            if (ready <= 0) return damaged("ffmpeg has said nothing for a minute");
            buffer_.resize(std::size_t{1} << 16);
            const ssize_t got = read(pictures_, buffer_.data(), buffer_.size());
            buffer_.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
            used_ = 0;
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0 && done == 0) return false;
            if (got <= 0) return damaged("a picture is cut short");
        }
        const std::size_t count = std::min(size - done, buffer_.size() - used_);
        std::memcpy(to + done, buffer_.data() + used_, count);
        done += count;
        used_ += count;
    }
    return true;
}

Result<bool> FilmReader::read_header(Extent& extent) {
    constexpr std::size_t kLongest = 512;
    std::string header;
    while (!header.ends_with("ENDHDR\n")) {
        char next = 0;
        auto more = read_bytes(&next, 1);
        if (!more) return more;
        if (!*more && header.empty()) return false;
        if (!*more || header.size() == kLongest) return damaged("ffmpeg writes something else");
        header += next;
    }
    extent = {number_after(header, "WIDTH "), number_after(header, "HEIGHT "), 1};
    const bool known = header.starts_with("P7\n") && number_after(header, "DEPTH ") == 4;
    if (!known || extent.width == 0 || extent.height == 0)
        return damaged("ffmpeg writes something else");
    if (extent.width > kMaxImageSide || extent.height > kMaxImageSide)
        return fail("image/too-large", fmt::format("the film '{}' has pictures of {}x{} texels",
                                                   file_.string(), extent.width, extent.height));
    return true;
}

Result<HostImage> FilmReader::picture(std::uint64_t index) {
    if (process_ < 0 || index < next_ || index - next_ > kMaxSkipped)
        if (auto started = start(index); !started) return propagate(std::move(started));
    HostImage image;
    for (; next_ <= index; ++next_) {
        Extent extent;
        auto more = read_header(extent);
        if (more && *more) {
            if (image.extent != extent) image = make_image(Format::rgba8_unorm, extent);
            more = read_bytes(image.texels.data(), image.texels.size());
            if (more && !*more) more = damaged("a picture is cut short");
        }
        if (!more) {
            stop();
            return propagate(std::move(more));
        }
        if (!*more) {
            const int status = wait_for(std::exchange(process_, -1));
            auto ended =
                status == 0
                    ? fail("film/ended",
                           fmt::format("the film '{}' has no picture {}", file_.string(), index),
                           "pictures count from 0")
                    : damaged("ffmpeg failed");
            stop();
            return ended;
        }
        if (extent_.width != 0 && extent != extent_) {
            stop();
            return fail("film/size",
                        fmt::format("picture {} of the film '{}' has {}x{} texels, those before "
                                    "{}x{}",
                                    next_, file_.string(), extent.width, extent.height,
                                    extent_.width, extent_.height),
                        "have ffmpeg convert it to one size: -vf scale=WIDTH:HEIGHT");
        }
        extent_ = extent;
    }
    return image;
}

} // namespace tuff
