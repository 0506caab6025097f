#pragma once

#include <chrono>
#include <thread>

namespace tuff::mpi {

/// How a thread that waits looks again: at once at first, for neighbours answer within
/// microseconds, and less and less often, so that it takes no processor from those that compute.
class Backoff {
  public:
    void pause() {
        if (looks_ < kEagerLooks) {
            ++looks_;
            std::this_thread::yield();
            return;
        }
        std::this_thread::sleep_for(sleep_);
        if (sleep_ < std::chrono::microseconds(1000)) sleep_ *= 2;
    }

  private:
    static constexpr int kEagerLooks = 200;
    int looks_ = 0;
    std::chrono::microseconds sleep_{10};
};

} // namespace tuff::mpi
