#pragma once

#include "gpu/shader/specialize.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace tuff {

/// Kernels whose constants a device's executors have set (`specialize`), so that a graph compiled
/// again, or another with the same kernels, does not set them again: that takes up to a tenth of a
/// second for a kernel of 100,000 words. For several threads.
class SpecializedKernels {
  public:
    using Words = std::shared_ptr<const std::vector<std::uint32_t>>;

    /// Keeps `most_words` at most; what would be more makes it forget the rest.
    explicit SpecializedKernels(std::size_t most_words = std::size_t{16} << 20)
        : most_words_(most_words) {}

    /// `words` with `constants` set. Error: that of `specialize`.
    Result<Words> of(std::span<const std::uint32_t> words,
                     std::span<const SpecializationUse> constants, UnrollHints hints);

    /// How often constants were set, for tests.
    std::uint64_t made() const;

  private:
    mutable std::mutex mutex_;
    std::map<std::string, Words> kept_; ///< by the checksum of all that they depend on
    std::size_t kept_words_ = 0;
    std::size_t most_words_ = 0;
    std::uint64_t made_ = 0;
};

} // namespace tuff
