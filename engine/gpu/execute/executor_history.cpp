// What an executor keeps from one execution to the next, brought to the host and back.

#include "gpu/execute/executor_impl.hpp"
#include "gpu/memory/history_transfer.hpp"

#include <fmt/format.h>

namespace tuff {
namespace {

Result<void> check_samples(const HistoryInfo& history) {
    const auto* image = std::get_if<ImageDesc>(&history.desc);
    if (!image || image->samples == 1) return {};
    return fail("gpu/history-samples",
                fmt::format("history '{}' has {} samples a texel, which no host can read",
                            history.name, image->samples),
                "keep the resolved image instead");
}

} // namespace

Result<std::vector<std::byte>> ExecutorImpl::read_history(std::size_t index) {
    const HistoryInfo& history = histories[index];
    if (auto ok = check_samples(history); !ok) return propagate(std::move(ok));
    if (auto ok = wait_for(submitted); !ok) return propagate(std::move(ok));
    auto transfer = HistoryTransfer::create(*one_off, history);
    if (!transfer) return propagate(std::move(transfer));
    const HistoryCopies copies = resources.copies_of(
        *plan, history_resources[index], static_cast<std::uint32_t>(rotation % resources.phases()));
    std::vector<std::byte> bytes(packed_bytes(history));
    const std::size_t each = bytes.size() / copies.by_age.size();
    for (std::size_t age = 0; age < copies.by_age.size(); ++age) {
        auto ok = transfer->read(copies.by_age[age], copies.resting,
                                 std::span(bytes).subspan(age * each, each));
        if (!ok) return propagate(std::move(ok));
    }
    return bytes;
}

Result<void> ExecutorImpl::write_history(std::size_t index, std::span<const std::byte> contents) {
    const HistoryInfo& history = histories[index];
    if (auto ok = check_samples(history); !ok) return ok;
    if (contents.size() != packed_bytes(history))
        return fail("gpu/history-size",
                    fmt::format("history '{}' holds {} bytes and was given {}", history.name,
                                packed_bytes(history), contents.size()),
                    "give bytes that were read from a history of the same description");
    if (auto ok = wait_for(submitted); !ok) return ok;
    auto transfer = HistoryTransfer::create(*one_off, history);
    if (!transfer) return propagate(std::move(transfer));
    const HistoryCopies copies = resources.copies_of(
        *plan, history_resources[index], static_cast<std::uint32_t>(rotation % resources.phases()));
    const std::size_t each = contents.size() / copies.by_age.size();
    for (std::size_t age = 0; age < copies.by_age.size(); ++age) {
        auto ok =
            transfer->write(copies.by_age[age], copies.resting, contents.subspan(age * each, each));
        if (!ok) return ok;
    }
    return {};
}

} // namespace tuff
