#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace tuff::mpi {

/// Ends the process with a message unless it is destroyed in time: for calls of MPI that wait
/// for all ranks and cannot be broken off.
class Deadline {
  public:
    Deadline(std::chrono::milliseconds time, std::string message)
        : message_(std::move(message)), thread_([this, time] { watch(time); }) {}
    ~Deadline() {
        {
            const std::lock_guard lock(mutex_);
            kept_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;

  private:
    void watch(std::chrono::milliseconds time) {
        std::unique_lock lock(mutex_);
        if (changed_.wait_for(lock, time, [this] { return kept_; })) return;
        std::fputs(message_.c_str(), stderr);
        std::fflush(stderr);
        std::_Exit(1);
    }

    std::string message_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool kept_ = false;
    std::thread thread_;
};

} // namespace tuff::mpi
