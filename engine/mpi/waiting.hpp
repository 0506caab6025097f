#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace tuff::mpi {

/// How a thread that waits looks again: at once for a while, as MPI's own calls wait, for MPI moves
/// the pieces of a large message on at each look; then less and less often, so that a long
/// wait takes no processor time from ranks that compute. Where ranks share processors, this begins
/// soon.
class Backoff {
  public:
    explicit Backoff(bool share_processors) : eager_(share_processors ? kBrief : kEager) {}

    void pause() {
        const auto waited = std::chrono::steady_clock::now() - begin_;
        if (waited < eager_)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(
                std::clamp<std::chrono::nanoseconds>(waited / kPart, kShortest, kLongest));
    }

  private:
    static constexpr std::chrono::microseconds kEager{50'000};
    static constexpr std::chrono::microseconds kBrief{100};
    static constexpr int kPart = 256;
    static constexpr std::chrono::microseconds kShortest{10};
    static constexpr std::chrono::microseconds kLongest{1000};
    std::chrono::microseconds eager_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

} // namespace tuff::mpi
