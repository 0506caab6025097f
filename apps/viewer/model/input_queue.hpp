#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <deque>
#include <variant>

namespace tuff::viewer {

/// Where the pointer is, and what is held down.
struct Input {
    static constexpr std::size_t kButtons = 5;
    static constexpr std::size_t kKeys = 512;

    float x = 0.0f, y = 0.0f;
    std::bitset<kButtons> buttons;
    std::bitset<kKeys> keys; ///< in the window system's numbers
    friend bool operator==(const Input&, const Input&) = default;
};

struct PointerMove {
    float x = 0.0f, y = 0.0f;
};
struct ButtonChange {
    std::size_t button = 0;
    bool down = false;
};
struct KeyChange {
    std::size_t key = 0;
    bool down = false;
};

/// Events on their way to an interface that looks at what is down once a frame. However slow the
/// frames are, it sees each press, and the pointer over an item before the press on it: a frame
/// ends where a button would change for the second time or after the pointer has moved, or a key
/// for the second time.
class InputQueue {
  public:
    using Event = std::variant<PointerMove, ButtonChange, KeyChange>;

    /// Buttons and keys beyond those of `Input` are left out.
    void push(const Event& event);
    /// What the next frame is to see.
    const Input& next();
    bool empty() const { return events_.empty(); }

  private:
    std::deque<Event> events_;
    Input seen_;
};

} // namespace tuff::viewer
