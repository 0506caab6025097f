#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace tuff::passes {

/// How large a pool of fragments should be, from how many there were in the last executions. An
/// application hands it the first word of `FragmentLists::status` (OitStatus::demand) of every
/// execution, as late as it likes, and builds its graph again when asked:
///
///     if (size.observe(status.demand)) rebuild(size.capacity());
///
/// The pool grows at once to 1.25 times the greatest demand of the window. It shrinks only when a
/// whole window would have done with half of it, so that it does not follow every change.
class PoolSize {
  public:
    static constexpr std::size_t kWindow = 32; ///< executions
    static constexpr std::uint32_t kLeast = 1024;

    explicit PoolSize(std::uint32_t capacity) : capacity_(capacity) {}

    std::uint32_t capacity() const { return capacity_; }
    /// Notes what an execution needed; true where the capacity has changed.
    bool observe(std::uint32_t demand);

  private:
    std::uint32_t capacity_;
    std::deque<std::uint32_t> demands_; ///< the last kWindow, oldest first
};

} // namespace tuff::passes
