#pragma once

#include <tuff/image.hpp>

#include <json/json.h>
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// A screen without a monitor (Xvfb), and the viewer on it, worked with real mouse and key events.
namespace tuff::test {

/// Starts Xvfb with a display number that is free, and ends it.
class Screen {
  public:
    /// `folder` gets the file that holds the screen's pixels.
    explicit Screen(const std::filesystem::path& folder);
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    /// Whether the programs that the tests need are installed.
    static bool is_available();

    const std::string& display() const { return display_; } ///< ":99"
    /// What is on the screen now.
    HostImage pixels() const;

  private:
    /// Where a widget is once it moves no longer; null where there is none.
    Json::Value resting_place(const std::string& widget) const;

    std::filesystem::path folder_;
    std::string display_;
    pid_t server_ = -1;
};

/// What is looked at when the viewer has been closed.
enum class AtExit : std::uint8_t {
    nothing,
    leaks_are_errors, ///< where LeakSanitizer is installed: 23 is the exit code
};

/// `tuff view` on a screen.
class ViewerOnScreen {
  public:
    ViewerOnScreen(const Screen& screen, const std::filesystem::path& folder,
                   const std::vector<std::string>& arguments, AtExit at_exit = AtExit::nothing);
    /// Ends the program where it still runs.
    ~ViewerOnScreen();
    ViewerOnScreen(const ViewerOnScreen&) = delete;
    ViewerOnScreen& operator=(const ViewerOnScreen&) = delete;

    /// What the viewer says it shows; null before it says anything.
    Json::Value state() const;
    /// Waits until the state is as wanted; false after a minute, or where the program ended.
    bool wait(const std::function<bool(const Json::Value&)>& wanted) const;
    /// Waits for a few frames of the interface more: a field has the keyboard some frames after it
    /// is there.
    bool wait_for_frames() const;
    /// Runs xdotool with these words.
    void xdotool(const std::string& words) const;
    /// Moves to the middle of a widget and presses the left button. False where there is none.
    bool click(const std::string& widget) const;
    /// Presses twice in the middle of a widget.
    bool double_click(const std::string& widget) const;
    /// Presses in the middle of a widget, moves by (x, y) pixels and lets go.
    bool drag(const std::string& widget, int x, int y) const;

    bool running();
    /// Waits for the end: the exit code, or 128 and the signal; -1 where it did not end.
    int exit_code();
    std::string errors() const;

  private:
    /// Where a widget is once it moves no longer; null where there is none.
    Json::Value resting_place(const std::string& widget) const;

    std::filesystem::path folder_;
    std::string display_;
    pid_t process_ = -1;
    int status_ = 0;
    bool ended_ = false;
};

} // namespace tuff::test
