#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace tuff {

/// What an isolated process says to the one that started it.
class AnswerPipe {
  public:
    explicit AnswerPipe(int file) : file_(file) {}

    bool write(const void* data, std::size_t size);
    bool read(void* data, std::size_t size);

  private:
    int file_;
};

enum class IsolatedEnd : std::uint8_t {
    answered,
    failed,     ///< it ended without an answer, or with nonsense
    not_started ///< no process can be had; errno says why
};

/// CPU time that reading a file of so many bytes may take: three seconds, and more of large files,
/// but not above five minutes.
unsigned reading_seconds(std::uint64_t file_bytes);

/// Runs `work` in a copy of this process and `take` here on what that one writes: a library that
/// does not stand damaged files crashes there, and what it prints goes nowhere. The copy may take
/// `memory` bytes beside what this process has, and `seconds` of CPU time. `take` says whether
/// the answer is whole.
IsolatedEnd run_isolated(std::uint64_t memory, unsigned seconds,
                         const std::function<void(AnswerPipe&)>& work,
                         const std::function<bool(AnswerPipe&)>& take);

/// Within `work`: as many bytes more.
void allow_more_memory(std::uint64_t bytes);

} // namespace tuff
