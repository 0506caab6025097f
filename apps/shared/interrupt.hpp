#pragma once

namespace tuff::cli {

/// While it lives, Ctrl-C is noted instead of killing the process, so that a file under way is
/// finished. A second Ctrl-C kills at once.
class InterruptGuard {
  public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    bool interrupted() const;
};

} // namespace tuff::cli
