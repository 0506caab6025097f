#include "model/edit_history.hpp"

#include <utility>

namespace tuff::viewer {

void EditHistory::start(const Edits& edits) {
    steps_ = {edits};
    at_ = 0;
    open_ = false;
}

void EditHistory::note(const Edits& now, bool held) {
    if (now != steps_[at_]) {
        if (open_) {
            steps_[at_] = now;
        } else {
            steps_.resize(at_ + 1);
            steps_.push_back(now);
            if (steps_.size() > kMax) steps_.erase(steps_.begin());
            at_ = steps_.size() - 1;
        }
        open_ = true;
    }
    if (!held) open_ = false;
}

std::optional<Edits> EditHistory::undo() {
    open_ = false;
    if (!can_undo()) return std::nullopt;
    return steps_[--at_];
}

std::optional<Edits> EditHistory::redo() {
    open_ = false;
    if (!can_redo()) return std::nullopt;
    return steps_[++at_];
}

void EditHistory::saved(const Edits& saved, const Edits& before) {
    open_ = false;
    for (Edits& step : steps_)
        for (const auto& [key, value] : saved) {
            const auto found = step.find(key);
            if (found == step.end()) {
                if (const auto old = before.find(key); old != before.end()) step.insert(*old);
            } else if (found->second == value) {
                step.erase(found);
            }
        }
}

} // namespace tuff::viewer
