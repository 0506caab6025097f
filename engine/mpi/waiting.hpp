#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace tuff::mpi {

/// How a thread that waits looks again: at once at first, for neighbours answer within
/// microseconds, and less and less often, so that it takes no processor from those that compute.
/// A large message takes hundreds of looks, since MPI moves its pieces on at each: a pause is a
/// small part of the time waited so far, so that they make it little longer.
class Backoff {
  public:
    void pause() {
        if (looks_ < kEagerLooks) {
            ++looks_;
            std::this_thread::yield();
            return;
        }
        const auto waited = std::chrono::steady_clock::now() - begin_;
        std::this_thread::sleep_for(
            std::clamp<std::chrono::nanoseconds>(waited / kPart, kShortest, kLongest));
    }

  private:
    static constexpr int kEagerLooks = 200;
    static constexpr int kPart = 256;
    static constexpr std::chrono::microseconds kShortest{10};
    static constexpr std::chrono::microseconds kLongest{1000};
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    int looks_ = 0;
};

} // namespace tuff::mpi
