#include "drop.hpp"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>

namespace tuff::test {
namespace {

constexpr auto kDropPatience = std::chrono::seconds(10);
constexpr long kVersion = 5;

Window find_window(Display* display, Window below, const std::string& title) {
    char* name = nullptr;
    if (XFetchName(display, below, &name) && name) {
        const bool found = std::string(name).find(title) != std::string::npos;
        XFree(name);
        if (found) return below;
    }
    Window root = 0, parent = 0, *children = nullptr;
    unsigned count = 0;
    Window result = 0;
    if (XQueryTree(display, below, &root, &parent, &children, &count))
        for (unsigned i = 0; i < count && !result; ++i)
            result = find_window(display, children[i], title);
    if (children) XFree(children);
    return result;
}

/// The window that offers the file.
class Source {
  public:
    Source(Display* display, Window target, std::string uri)
        : display_(display), target_(target), uri_(std::move(uri)),
          window_(XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0)) {
        XSetSelectionOwner(display_, atom("XdndSelection"), window_, CurrentTime);
    }

    bool drop(long x, long y) {
        const auto source = static_cast<long>(window_);
        send("XdndEnter", {source, kVersion << 24, static_cast<long>(atom("text/uri-list"))});
        send("XdndPosition",
             {source, 0, (x << 16) | y, CurrentTime, static_cast<long>(atom("XdndActionCopy"))});
        const auto status = wait_for("XdndStatus");
        if (!status || !(status->data.l[1] & 1)) return false; // refused
        send("XdndDrop", {source, 0, CurrentTime});
        return wait_for("XdndFinished").has_value();
    }

  private:
    Atom atom(const char* name) const { return XInternAtom(display_, name, False); }

    void send(const char* type, const std::array<long, 5>& data) {
        XEvent event{};
        event.xclient.type = ClientMessage;
        event.xclient.window = target_;
        event.xclient.message_type = atom(type);
        event.xclient.format = 32;
        std::copy(data.begin(), data.end(), event.xclient.data.l);
        XSendEvent(display_, target_, False, NoEventMask, &event);
        XFlush(display_);
    }

    /// Hands out what is dropped while it waits.
    std::optional<XClientMessageEvent> wait_for(const char* type) {
        const auto until = std::chrono::steady_clock::now() + kDropPatience;
        while (std::chrono::steady_clock::now() < until) {
            if (!XPending(display_)) {
                pollfd ready{.fd = ConnectionNumber(display_), .events = POLLIN, .revents = 0};
                poll(&ready, 1, 50);
                continue;
            }
            XEvent event;
            XNextEvent(display_, &event);
            if (event.type == ClientMessage && event.xclient.message_type == atom(type))
                return event.xclient;
            if (event.type == SelectionRequest) hand_out(event.xselectionrequest);
        }
        return std::nullopt;
    }

    void hand_out(const XSelectionRequestEvent& request) {
        XChangeProperty(display_, request.requestor, request.property, request.target, 8,
                        PropModeReplace, reinterpret_cast<const unsigned char*>(uri_.data()),
                        static_cast<int>(uri_.size()));
        XEvent event{};
        event.xselection.type = SelectionNotify;
        event.xselection.requestor = request.requestor;
        event.xselection.selection = request.selection;
        event.xselection.target = request.target;
        event.xselection.property = request.property;
        event.xselection.time = request.time;
        XSendEvent(display_, request.requestor, False, NoEventMask, &event);
        XFlush(display_);
    }

    Display* display_;
    Window target_;
    std::string uri_;
    Window window_;
};

} // namespace

bool drop_file(const std::string& display_name, const std::string& title,
               const std::filesystem::path& file) {
    const std::unique_ptr<Display, int (*)(Display*)> display(XOpenDisplay(display_name.c_str()),
                                                              XCloseDisplay);
    if (!display) return false;
    const Window root = DefaultRootWindow(display.get());
    const Window target = find_window(display.get(), root, title);
    if (!target) return false;
    XWindowAttributes at{};
    XGetWindowAttributes(display.get(), target, &at);
    int x = 0, y = 0;
    Window child = 0;
    XTranslateCoordinates(display.get(), target, root, at.width / 2, at.height / 2, &x, &y, &child);
    return Source(display.get(), target, "file://" + file.string() + "\r\n").drop(x, y);
}

} // namespace tuff::test
