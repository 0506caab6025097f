#include "apps/tuff/ranks/rank_clock.hpp"

#include "apps/tuff/ranks/rank_messages.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace tuff::cli {
namespace {

constexpr int kQuestions = 64;

std::array<double, 2> reading_of(std::span<const std::byte> bytes) {
    std::array<double, 2> numbers{};
    std::memcpy(numbers.data(), bytes.data(), std::min(bytes.size(), sizeof numbers));
    return numbers;
}

Result<void> send(Communicator& ranks, std::int32_t to, const std::array<double, 2>& numbers) {
    return ranks.send(to, kClockTag, std::as_bytes(std::span(numbers)));
}

/// Of rank 0: asks `rank`, and tells it what came of it.
Result<void> ask(Communicator& ranks, std::int32_t rank) {
    double ahead = 0.0, error = 0.0;
    for (int i = 0; i < kQuestions; ++i) {
        const HostTime asked = host_time();
        if (auto ok = send(ranks, rank, {}); !ok) return ok;
        const auto answer = ranks.receive(rank, kClockTag);
        const HostTime answered = host_time();
        if (!answer) return std::unexpected(answer.error());
        const double half = static_cast<double>(answered - asked) / 2.0;
        if (i > 0 && half >= error) continue;
        error = half;
        ahead = reading_of(answer->bytes)[0] - (static_cast<double>(asked) + half);
    }
    return send(ranks, rank, {ahead, error});
}

} // namespace

Result<ClockReading> read_clock(Communicator& ranks) {
    if (ranks.rank() == 0) {
        for (std::int32_t rank = 1; rank < ranks.size(); ++rank)
            if (auto ok = ask(ranks, rank); !ok) return propagate(std::move(ok));
        return ClockReading{.at = static_cast<double>(host_time())};
    }
    for (int i = 0; i < kQuestions; ++i) {
        if (auto question = ranks.receive(0, kClockTag); !question)
            return propagate(std::move(question));
        if (auto ok = send(ranks, 0, {static_cast<double>(host_time()), 0.0}); !ok)
            return propagate(std::move(ok));
    }
    const auto told = ranks.receive(0, kClockTag);
    if (!told) return std::unexpected(told.error());
    const auto [ahead, error] = reading_of(told->bytes);
    return ClockReading{.at = static_cast<double>(host_time()), .ahead = ahead, .error = error};
}

double RankClock::on_first(double own) const {
    const double span = after_.at - before_.at;
    const double share = span > 0.0 ? (own - before_.at) / span : 0.0;
    return own - (before_.ahead + share * (after_.ahead - before_.ahead));
}

double RankClock::error() const {
    return std::max(before_.error, after_.error);
}

} // namespace tuff::cli
