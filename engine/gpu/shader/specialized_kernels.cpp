#include "gpu/shader/specialized_kernels.hpp"

#include <utility>

namespace tuff {

SpecializedKernels::Key SpecializedKernels::key_of(std::span<const std::uint32_t> words,
                                                   std::span<const SpecializationUse> constants,
                                                   UnrollHints hints) {
    // FNV-1a by words, from two bases.
    Key key{.hash = {0xcbf29ce484222325u, 0x9ae16a3b2f90404fu}, .words = words.size()};
    const auto append = [&key](std::uint32_t value) {
        for (std::uint64_t& hash : key.hash)
            hash = (hash ^ value) * 0x100000001b3u;
    };
    append(hints == UnrollHints::kept ? 0 : 1);
    for (const SpecializationUse& constant : constants) {
        append(constant.id);
        append(constant.bits);
    }
    for (const std::uint32_t word : words)
        append(word);
    return key;
}

Result<SpecializedKernels::Words>
SpecializedKernels::of(std::span<const std::uint32_t> words,
                       std::span<const SpecializationUse> constants, UnrollHints hints) {
    const Key key = key_of(words, constants, hints);
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
    if (made->size() <= most_words_ && kept_.emplace(key, made).second) kept_words_ += made->size();
    return made;
}

std::uint64_t SpecializedKernels::made() const {
    const std::lock_guard lock(mutex_);
    return made_;
}

} // namespace tuff
