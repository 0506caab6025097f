#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace tuff {

/// Threads that share out the parts of a job, one job at a time. A job allocates nothing.
class WorkerPool {
  public:
    /// `threads` counts the one that calls `run`. Makes do with fewer where the system gives no
    /// more.
    explicit WorkerPool(std::uint32_t threads);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Calls `work(i)` for every i below `count`, each once, on any of the threads; returns when
    /// all calls have. `work` must not throw.
    template <typename Work>
    void run(std::uint32_t count, Work work) {
        const Call call = [](void* context, std::uint32_t part) {
            (*static_cast<Work*>(context))(part);
        };
        run_job(count, call, &work);
    }

  private:
    using Call = void (*)(void* context, std::uint32_t part);

    void run_job(std::uint32_t count, Call call, void* context);
    void help();
    /// Takes parts until none is left; the lock is held between parts.
    void take_parts(std::unique_lock<std::mutex>& lock);

    std::mutex mutex_; ///< guards what follows
    std::condition_variable job_waits_;
    std::condition_variable job_done_;
    Call call_ = nullptr;
    void* context_ = nullptr;
    std::uint32_t count_ = 0;    ///< parts of the job
    std::uint32_t next_ = 0;     ///< the first part that nobody has taken
    std::uint32_t finished_ = 0; ///< parts
    bool stopping_ = false;
    std::vector<std::thread> threads_; ///< last: they use all of the above
};

} // namespace tuff
