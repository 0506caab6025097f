#pragma once

#include "model/edits.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tuff::viewer {

/// The steps by which parameters were changed, to go back and forth between. What changes while a
/// slider is held is one step.
class EditHistory {
  public:
    /// As many steps are kept.
    static constexpr std::size_t kMax = 500;

    /// Begins again, for another config.
    void start(const Edits& edits);
    /// What the changes are now; called each frame. `held`: a mouse button is down, so that what
    /// follows belongs to the same step.
    void note(const Edits& now, bool held);
    /// The changes before the last step, or nothing where there is none.
    std::optional<Edits> undo();
    /// The changes after the step that was taken back last.
    std::optional<Edits> redo();
    bool can_undo() const { return at_ > 0; }
    bool can_redo() const { return at_ + 1 < steps_.size(); }
    /// The changes `saved` have become what the file says, in place of the values `before`: they
    /// are changes no longer, and to go behind them is a change.
    void saved(const Edits& saved, const Edits& before);

  private:
    std::vector<Edits> steps_ = {{}};
    std::size_t at_ = 0;
    bool open_ = false; ///< the last step still grows
};

} // namespace tuff::viewer
