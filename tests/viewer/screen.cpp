#include "screen.hpp"

#include "tests/common/source_tree.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <json/reader.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <thread>

namespace tuff::test {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(60);
constexpr auto kLook = std::chrono::milliseconds(20);

bool on_path(const char* program) {
    return std::system(fmt::format("command -v {} > /dev/null 2>&1", program).c_str()) == 0;
}

[[noreturn]] void become(std::vector<std::string> words) {
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execvp(pointers[0], pointers.data());
    _exit(127);
}

void redirect(const fs::path& file, int descriptor) {
    const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (opened < 0 || dup2(opened, descriptor) < 0) _exit(127);
}

/// A big-endian word of an XWD header.
std::uint32_t word(const std::string& file, std::size_t index) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8 | static_cast<unsigned char>(file[index * 4 + i]);
    return value;
}

/// It is installed, and may look into programs, which some containers forbid.
bool leak_sanitizer_works() {
    if (!fs::exists(TUFF_TEST_LEAK_SANITIZER)) return false;
    return std::system("LD_PRELOAD=" TUFF_TEST_LEAK_SANITIZER " /bin/true 2> /dev/null") == 0;
}

} // namespace

bool Screen::is_available() {
    return on_path("Xvfb") && on_path("xdotool");
}

Screen::Screen(const fs::path& folder) : folder_(folder) {
    int ends[2];
    if (pipe(ends) != 0) return;
    server_ = fork();
    if (server_ == 0) {
        close(ends[0]);
        redirect(folder / "xvfb.log", STDERR_FILENO);
        become({"Xvfb", "-displayfd", std::to_string(ends[1]), "-screen", "0", "1280x800x24",
                "-fbdir", folder.string(), "-nolisten", "tcp", "-noreset"});
    }
    close(ends[1]);
    std::string number;
    for (char c = 0; read(ends[0], &c, 1) == 1 && c != '\n';)
        number += c;
    close(ends[0]);
    display_ = ":" + number;
}

Screen::~Screen() {
    if (server_ <= 0) return;
    kill(server_, SIGTERM);
    waitpid(server_, nullptr, 0);
}

HostImage Screen::pixels() const {
    const std::string file = read_file(folder_ / "Xvfb_screen0");
    constexpr std::size_t kWords = 25;
    if (file.size() < kWords * 4) return {};
    const std::uint32_t header = word(file, 0), width = word(file, 4), height = word(file, 5);
    const std::uint32_t row = word(file, 12), colors = word(file, 19);
    const std::size_t first = header + std::size_t{colors} * 12;
    if (file.size() < first + std::size_t{row} * height) return {};
    HostImage image = make_image(Format::rgba8_unorm, {width, height, 1});
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            const char* from = file.data() + first + std::size_t{row} * y + std::size_t{x} * 4;
            std::byte* to = image.texels.data() + (std::size_t{width} * y + x) * 4;
            for (std::size_t c = 0; c < 3; ++c) // the server's order is blue, green, red
                to[c] = static_cast<std::byte>(from[2 - c]);
            to[3] = std::byte{255};
        }
    return image;
}

ViewerOnScreen::ViewerOnScreen(const Screen& screen, const fs::path& folder,
                               const std::vector<std::string>& arguments, AtExit at_exit)
    : folder_(folder), display_(screen.display()) {
    process_ = fork();
    if (process_ != 0) return;
    redirect(folder / "stdout", STDOUT_FILENO);
    redirect(folder / "stderr", STDERR_FILENO);
    setenv("DISPLAY", display_.c_str(), 1);
    setenv("TUFF_CONFIG_DIR", folder.c_str(), 1);
    setenv("TUFF_CACHE_DIR", (folder / "cache").c_str(), 1);
    const char* const path = std::getenv("PATH"); // programs of the test's come first
    setenv("PATH", ((folder / "bin").string() + ":" + (path ? path : "")).c_str(), 1);
    if (at_exit == AtExit::leaks_are_errors && leak_sanitizer_works())
        setenv("LD_PRELOAD", TUFF_TEST_LEAK_SANITIZER, 1);
    if (chdir(folder.c_str()) != 0) _exit(127);
    std::vector<std::string> words = {TUFF_TEST_BINARY, "view"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.insert(words.end(), {"--state", "state.json"});
    become(std::move(words));
}

ViewerOnScreen::~ViewerOnScreen() {
    if (!running()) return;
    kill(process_, SIGKILL);
    waitpid(process_, &status_, 0);
}

Json::Value ViewerOnScreen::state() const {
    const std::string text = read_file(folder_ / "state.json");
    Json::CharReaderBuilder builder;
    const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    Json::Value value;
    reader->parse(text.data(), text.data() + text.size(), &value, nullptr);
    return value;
}

bool ViewerOnScreen::wait(const std::function<bool(const Json::Value&)>& wanted) const {
    const auto until = Clock::now() + kPatience;
    while (Clock::now() < until) {
        const Json::Value now = state();
        if (now.isObject() && wanted(now)) return true;
        siginfo_t info{};
        if (waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            info.si_pid == process_)
            return false;
        std::this_thread::sleep_for(kLook);
    }
    return false;
}

bool ViewerOnScreen::wait_for_frames() const {
    const std::uint64_t now = state()["interface_frames"].asUInt64();
    return wait([now](const auto& s) { return s["interface_frames"].asUInt64() >= now + 5; });
}

void ViewerOnScreen::xdotool(const std::string& words) const {
    const std::string command =
        fmt::format("DISPLAY={} xdotool {} > /dev/null 2>&1", display_, words);
    if (std::system(command.c_str()) != 0)
        std::fprintf(stderr, "xdotool %s failed\n", words.c_str());
}

Json::Value ViewerOnScreen::resting_place(const std::string& widget) const {
    // What came into sight in this frame may move in the next, when its size is known.
    Json::Value place;
    Json::UInt64 since = 0;
    const bool rests = wait([&](const Json::Value& s) {
        const Json::UInt64 frame = s["interface_frames"].asUInt64();
        const Json::Value now = s["widgets"].get(widget, Json::Value());
        if (now != place) since = frame;
        place = now;
        return !place.isNull() && frame >= since + 2;
    });
    return rests ? place : Json::Value();
}

bool ViewerOnScreen::click(const std::string& widget) const {
    const Json::Value place = resting_place(widget);
    if (place.isNull()) return false;
    // A moment between the events: the viewer looks at the mouse once a frame.
    xdotool(fmt::format("mousemove {} {} sleep 0.06 mousedown 1 sleep 0.06 mouseup 1",
                        place[0].asInt(), place[1].asInt()));
    return true;
}

bool ViewerOnScreen::double_click(const std::string& widget) const {
    const Json::Value place = resting_place(widget);
    if (place.isNull()) return false;
    xdotool(fmt::format("mousemove {} {} sleep 0.06 click --repeat 2 --delay 60 1",
                        place[0].asInt(), place[1].asInt()));
    return true;
}

bool ViewerOnScreen::drag(const std::string& widget, int x, int y) const {
    const Json::Value place = resting_place(widget);
    if (place.isNull()) return false;
    const int fx = place[0].asInt(), fy = place[1].asInt();
    const Json::UInt64 releases = state()["releases"].asUInt64();
    xdotool(fmt::format("mousemove {} {} sleep 0.06 mousedown 1 sleep 0.06 mousemove {} {} sleep "
                        "0.06 mousemove {} {} sleep 0.06 mouseup 1",
                        fx, fy, fx + x / 2, fy + y / 2, fx + x, fy + y));
    // Until the button is up, the value that is dragged may follow a frame later.
    return wait([&](const auto& s) { return s["releases"].asUInt64() > releases; });
}

bool ViewerOnScreen::running() {
    if (!ended_ && waitpid(process_, &status_, WNOHANG) == process_) ended_ = true;
    return !ended_;
}

int ViewerOnScreen::exit_code() {
    const auto until = Clock::now() + kPatience;
    while (running() && Clock::now() < until)
        std::this_thread::sleep_for(kLook);
    if (!ended_) return -1;
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
}

std::string ViewerOnScreen::errors() const {
    return read_file(folder_ / "stderr");
}

} // namespace tuff::test
