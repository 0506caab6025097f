#include "unserved_display.hpp"

#include <X11/Xlib.h>
#include <fmt/format.h>

#include <memory>

namespace tuff::test {

std::string unserved_display() {
    // Servers that choose their number take the lowest free one: those of other tests come nowhere
    // near.
    for (int number = 500;; ++number) {
        std::string name = fmt::format(":{}", number);
        const std::unique_ptr<Display, int (*)(Display*)> display(XOpenDisplay(name.c_str()),
                                                                  XCloseDisplay);
        if (!display) return name;
    }
}

} // namespace tuff::test
