#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tuff::viewer {

/// Where the widgets of a frame lie in the window, by name: what scripts and tests click on.
class WidgetMap {
  public:
    struct Place {
        int x = 0, y = 0; ///< the middle, in pixels
        int width = 0, height = 0;
        friend bool operator==(const Place&, const Place&) = default;
    };

    void begin_frame() { places_.clear(); }
    /// Notes the item that was added last.
    void note(std::string_view name);
    /// Notes what was drawn without an item of its own.
    void note_rect(std::string_view name, int left, int top, int right, int bottom) {
        places_.insert_or_assign(std::string(name), Place{.x = (left + right) / 2,
                                                          .y = (top + bottom) / 2,
                                                          .width = right - left,
                                                          .height = bottom - top});
    }
    const std::map<std::string, Place, std::less<>>& places() const { return places_; }

  private:
    std::map<std::string, Place, std::less<>> places_;
};

} // namespace tuff::viewer
