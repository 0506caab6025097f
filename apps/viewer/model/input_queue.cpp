#include "model/input_queue.hpp"

namespace tuff::viewer {
namespace {

/// Applies events to one frame's input as long as they go together.
class Frame {
  public:
    explicit Frame(Input& input) : input_(input) {}

    bool operator()(const PointerMove& move) {
        if (buttons_.any()) return false;
        input_.x = move.x;
        input_.y = move.y;
        moved_ = true;
        return true;
    }
    bool operator()(const ButtonChange& change) {
        if (moved_ || buttons_[change.button]) return false;
        input_.buttons[change.button] = change.down;
        buttons_.set(change.button);
        return true;
    }
    bool operator()(const KeyChange& change) {
        if (keys_[change.key]) return false;
        input_.keys[change.key] = change.down;
        keys_.set(change.key);
        return true;
    }

  private:
    Input& input_;
    bool moved_ = false;
    std::bitset<Input::kButtons> buttons_; ///< that have changed
    std::bitset<Input::kKeys> keys_;       ///< that have changed
};

} // namespace

void InputQueue::push(const Event& event) {
    if (const auto* change = std::get_if<ButtonChange>(&event))
        if (change->button >= Input::kButtons) return;
    if (const auto* change = std::get_if<KeyChange>(&event))
        if (change->key >= Input::kKeys) return;
    events_.push_back(event);
}

const Input& InputQueue::next() {
    Frame frame(seen_);
    while (!events_.empty() && std::visit(frame, events_.front()))
        events_.pop_front();
    return seen_;
}

} // namespace tuff::viewer
