#include "gpu/execute/worker_pool.hpp"

#include <system_error>

namespace tuff {

WorkerPool::WorkerPool(std::uint32_t threads) {
    try {
        for (std::uint32_t i = 1; i < threads; ++i)
            threads_.emplace_back([this] { help(); });
    } catch (const std::system_error&) { // NOLINT: those there are, the caller among them, suffice
    }
}

WorkerPool::~WorkerPool() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    job_waits_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
}

void WorkerPool::run_job(std::uint32_t count, Call call, void* context) {
    std::unique_lock lock(mutex_);
    call_ = call;
    context_ = context;
    count_ = count;
    next_ = finished_ = 0;
    if (count > 1) job_waits_.notify_all();
    take_parts(lock);
    job_done_.wait(lock, [&] { return finished_ == count_; });
}

void WorkerPool::help() {
    std::unique_lock lock(mutex_);
    for (;;) {
        job_waits_.wait(lock, [&] { return stopping_ || next_ < count_; });
        if (stopping_) return;
        take_parts(lock);
    }
}

void WorkerPool::take_parts(std::unique_lock<std::mutex>& lock) {
    while (next_ < count_) {
        const std::uint32_t part = next_++;
        lock.unlock();
        call_(context_, part);
        lock.lock();
        if (++finished_ == count_) job_done_.notify_one();
    }
}

} // namespace tuff
