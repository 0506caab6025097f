#include "gpu/shader/specialized_kernels.hpp"

#include "gpu/checkpoint/checksum.hpp"

#include <utility>

namespace tuff {

namespace {

std::string key_of(std::span<const std::uint32_t> words,
                   std::span<const SpecializationUse> constants, UnrollHints hints) {
    Checksum sum;
    sum.add(std::as_bytes(std::span(&hints, 1)));
    sum.add(std::as_bytes(constants));
    sum.add(std::as_bytes(words));
    return sum.text();
}

} // namespace

Result<SpecializedKernels::Words>
SpecializedKernels::of(std::span<const std::uint32_t> words,
                       std::span<const SpecializationUse> constants, UnrollHints hints) {
    std::string key = key_of(words, constants, hints);
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = kept_.find(key); known != kept_.end()) return known->second;
    }
    auto set = specialize(words, constants, hints);
    if (!set) return propagate(std::move(set));
    auto made = std::make_shared<const std::vector<std::uint32_t>>(std::move(*set));
    const std::lock_guard lock(mutex_);
    ++made_;
    if (kept_words_ + made->size() > most_words_) {
        kept_.clear();
        kept_words_ = 0;
    }
    if (made->size() <= most_words_ && kept_.emplace(std::move(key), made).second)
        kept_words_ += made->size();
    return made;
}

std::uint64_t SpecializedKernels::made() const {
    const std::lock_guard lock(mutex_);
    return made_;
}

} // namespace tuff
