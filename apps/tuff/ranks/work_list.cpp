#include "apps/tuff/ranks/work_list.hpp"

#include <algorithm>

namespace tuff::cli {

WorkList::WorkList(std::size_t runs) : runs_(runs) {
    for (std::size_t run = 0; run < runs; ++run)
        open_.push_back(run);
}

std::optional<std::size_t> WorkList::next(std::int32_t rank) {
    if (stopped_ || open_.empty()) return std::nullopt;
    const std::size_t run = open_.front();
    open_.pop_front();
    under_way_.push_back({rank, run});
    return run;
}

std::optional<std::size_t> WorkList::take_from(std::int32_t rank) {
    const auto found = std::ranges::find(under_way_, rank, &UnderWay::rank);
    if (found == under_way_.end()) return std::nullopt;
    const std::size_t run = found->run;
    under_way_.erase(found);
    return run;
}

bool WorkList::finish(std::size_t run, std::int32_t rank) {
    (void)take_from(rank);
    if (runs_.at(run).finished) return false;
    runs_[run].finished = true;
    std::erase(open_, run); // of a rank that was given up too early
    ++finished_;
    return true;
}

std::optional<std::size_t> WorkList::give_up(std::int32_t rank, GaveUp reason) {
    const auto run = take_from(rank);
    if (!run || runs_[*run].finished) return std::nullopt;
    runs_[*run].attempts.push_back({rank, reason});
    if (runs_[*run].attempts.size() < kMaxAttempts) {
        open_.push_front(*run);
    } else {
        hopeless_ = run;
        stop();
    }
    return run;
}

void WorkList::fail(std::int32_t rank) {
    (void)take_from(rank);
    stop();
}

bool WorkList::ended() const {
    return under_way_.empty() && (stopped_ || open_.empty());
}

} // namespace tuff::cli
