#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace tuff::mpi {

/// How a thread that waits looks again: at once for a while, as MPI's own calls wait, for MPI moves
/// the pieces of a large message on at each look; then less and less often, so that a rank that
/// waits for long takes no processor from those that compute.
class Backoff {
  public:
    void pause() {
        const auto waited = std::chrono::steady_clock::now() - begin_;
        if (waited < kEager)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(
                std::min<std::chrono::nanoseconds>(waited / kPart, kLongest));
    }

  private:
    static constexpr std::chrono::milliseconds kEager{50};
    static constexpr int kPart = 256;
    static constexpr std::chrono::microseconds kLongest{1000};
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

} // namespace tuff::mpi
