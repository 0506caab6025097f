// Operators new and delete that count, in place of those of the whole program.

#include "allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace tuff::testing_steady {
namespace {

// Operators new take no context, so the count can live nowhere else.
thread_local std::uint64_t count = 0;
std::atomic<std::int64_t> live = 0;

void* allocate(std::size_t size, std::size_t alignment) {
    ++count;
    live.fetch_add(1, std::memory_order_relaxed);
    const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
    if (void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded))
        return memory;
    throw std::bad_alloc();
}

void release(void* memory) {
    if (memory) live.fetch_sub(1, std::memory_order_relaxed);
    std::free(memory);
}

} // namespace

std::uint64_t allocations() {
    return count;
}

std::int64_t live_blocks() {
    return live.load();
}

} // namespace tuff::testing_steady

// The array and nothrow forms of the standard library call these.
void* operator new(std::size_t size) {
    return tuff::testing_steady::allocate(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return tuff::testing_steady::allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    tuff::testing_steady::release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    tuff::testing_steady::release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    tuff::testing_steady::release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    tuff::testing_steady::release(memory);
}
