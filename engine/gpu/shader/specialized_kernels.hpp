#pragma once

#include "gpu/shader/specialize.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

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
    /// What a result depends on, hashed to 128 bits, and the number of words.
    struct Key {
        std::array<std::uint64_t, 2> hash{};
        std::size_t words = 0;
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    static Key key_of(std::span<const std::uint32_t> words,
                      std::span<const SpecializationUse> constants, UnrollHints hints);

    mutable std::mutex mutex_;
    std::map<Key, Words> kept_;
    std::size_t kept_words_ = 0;
    std::size_t most_words_ = 0;
    std::uint64_t made_ = 0;
};

} // namespace tuff
