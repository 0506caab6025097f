#include "apps/tuff/ranks/coordinator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tuff::cli {
namespace {

using namespace std::chrono_literals;

Json::Value attempts_json(const std::vector<Attempt>& attempts, const Communicator& ranks) {
    Json::Value list(Json::arrayValue);
    for (const Attempt& attempt : attempts) {
        Json::Value& json = list.append({});
        json["rank"] = attempt.rank;
        json["host"] = ranks.host(attempt.rank);
        json["reason"] = attempt.reason == GaveUp::rank_lost ? "lost rank" : "lost device";
    }
    return list;
}

} // namespace

bool is_device_lost(const Diagnostics& problems) {
    return std::ranges::any_of(problems,
                               [](const Diagnostic& d) { return d.code == "gpu/device-lost"; });
}

Coordinator::Coordinator(Communicator& ranks, const std::vector<PlannedRun>& runs,
                         Manifests& manifests)
    : ranks_(ranks), runs_(runs), manifests_(manifests), list_(runs.size()),
      made_(static_cast<std::size_t>(ranks.size())), thread_([this] { serve(); }) {}

Coordinator::~Coordinator() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_); // an exception has ended what rank 0 was at
        interrupted_ = true;
        list_.fail(0);
    }
    thread_.join();
}

std::string Coordinator::name_of(std::size_t run) const {
    const PlannedRun& planned = runs_.at(run);
    return planned.name.empty()
               ? fmt::format("frames {}:{}", planned.frames.first, planned.frames.end)
               : "run " + planned.name;
}

std::optional<std::size_t> Coordinator::next(const std::function<void()>& look) {
    std::unique_lock lock(mutex_);
    while (true) {
        if (!inactive_.contains(0))
            if (const auto run = list_.next(0)) return run;
        if (ended_) return std::nullopt;
        lock.unlock();
        look();
        lock.lock();
        if (!ended_) changed_.wait_for(lock, 50ms);
    }
}

void Coordinator::finish(std::size_t run, Json::Value entry) {
    const std::lock_guard lock(mutex_);
    take_finished(run, 0, std::move(entry));
}

void Coordinator::fail(std::size_t run, Failure failure) {
    const std::lock_guard lock(mutex_);
    if (is_device_lost(failure.diagnostics))
        lose_device(0, failure.diagnostics);
    else
        take_failure(run, 0, std::move(failure));
}

void Coordinator::interrupt() {
    const std::lock_guard lock(mutex_);
    if (list_.ended()) return;
    interrupted_ = true;
    list_.stop();
}

std::vector<Coordinator::News> Coordinator::take_news() {
    const std::lock_guard lock(mutex_);
    return std::exchange(news_, {});
}

Outcome<void> Coordinator::end() {
    thread_.join();
    const std::lock_guard lock(mutex_);
    return outcome();
}

Outcome<void> Coordinator::outcome() const {
    if (failure_) return std::unexpected(failure_->second);
    if (interrupted_)
        return run_failure(
            tuff::fail(
                "cli/interrupted",
                fmt::format("interrupted after {} of {} runs", list_.finished(), list_.size()),
                "finished runs are written down; the same command goes on from there")
                .error());
    return {};
}

void Coordinator::serve() {
    for (auto pause = 1ms; true; pause = std::min(pause * 2, 8ms)) {
        if (hear()) pause = 1ms;
        {
            const std::lock_guard lock(mutex_);
            find_lost();
            look_for_end();
            hand_out();
            write_now_and_then();
            if (ended_) break;
        }
        changed_.notify_all();
        std::this_thread::sleep_for(pause);
    }
    stop_all();
    changed_.notify_all();
}

bool Coordinator::hear() {
    auto message = ranks_.take(kAnyRank, kReportTag);
    const std::lock_guard lock(mutex_);
    if (!message) {
        take_failure(runs_.size(), 0, {std::move(message.error()), kExitRunFailed});
        return false;
    }
    if (!*message) return false;
    take(report_of((*message)->bytes), (*message)->envelope.from);
    return true;
}

void Coordinator::take(const Report& report, std::int32_t from) {
    if (!report.warnings.empty())
        news_.push_back({.rank = from, .made = {}, .entry = {}, .warnings = report.warnings});
    switch (report.kind) {
    case Report::Kind::ready: break;
    case Report::Kind::finished: take_finished(report.run, from, report.entry); break;
    case Report::Kind::failed:
        take_failure(report.run, from,
                     {with_rank(report.problems, ranks_.name(from)), report.exit_code});
        break;
    case Report::Kind::device_lost: lose_device(from, report.problems); return;
    }
    if (!inactive_.contains(from)) idle_.push_back(from);
}

void Coordinator::take_finished(std::size_t run, std::int32_t rank, Json::Value entry) {
    if (!list_.finish(run, rank)) return;
    ++made_[static_cast<std::size_t>(rank)];
    entry["rank"] = rank;
    entry["host"] = ranks_.host(rank);
    if (const auto& attempts = list_.attempts(run); !attempts.empty())
        entry["given_up_by"] = attempts_json(attempts, ranks_);
    manifests_.add(entry);
    unwritten_ = true;
    news_.push_back({.rank = rank, .made = run, .entry = std::move(entry), .warnings = {}});
}

/// Of several failures that of the first run is told, as if there were one process.
void Coordinator::take_failure(std::size_t run, std::int32_t rank, Failure failure) {
    list_.fail(rank);
    if (!failure_ || run < failure_->first) failure_ = {run, std::move(failure)};
}

void Coordinator::lose_device(std::int32_t rank, const Diagnostics& problems) {
    inactive_.insert(rank);
    Diagnostics warnings = with_rank(problems, ranks_.name(rank));
    const auto run = list_.give_up(rank, GaveUp::device_lost);
    for (Diagnostic& warning : warnings) {
        warning.severity = Severity::warning;
        if (run) warning.hint = name_of(*run) + " is made by another rank";
    }
    news_.push_back({.rank = rank, .made = {}, .entry = {}, .warnings = std::move(warnings)});
}

void Coordinator::find_lost() {
    for (std::int32_t rank = 1; rank < ranks_.size(); ++rank) {
        if (!ranks_.lost(rank) || inactive_.contains(rank)) continue;
        inactive_.insert(rank);
        std::erase(idle_, rank);
        const auto run = list_.give_up(rank, GaveUp::rank_lost);
        Diagnostic warning{.code = "mpi/lost-rank",
                           .severity = Severity::warning,
                           .message = ranks_.name(rank) + " does not answer any more",
                           .where = {},
                           .hint = run ? name_of(*run) + " is made by another rank" : ""};
        news_.push_back({.rank = rank, .made = {}, .entry = {}, .warnings = {std::move(warning)}});
    }
}

void Coordinator::look_for_end() {
    if (const auto run = list_.hopeless(); run && !failure_) {
        const Attempt& last = list_.attempts(*run).back();
        failure_ = {
            *run,
            {tuff::fail("mpi/run-lost",
                        fmt::format("{}: {} ranks were lost with it, {} at last", name_of(*run),
                                    list_.attempts(*run).size(), ranks_.name(last.rank)),
                        "run it alone, with --mpi off, to see what becomes of it")
                 .error(),
             kExitRunFailed}};
    }
    const bool nobody = inactive_.size() == static_cast<std::size_t>(ranks_.size());
    if (nobody && !list_.ended()) {
        list_.stop();
        failure_ = {runs_.size(),
                    {tuff::fail("mpi/run-lost",
                                fmt::format("no rank is left to make the {} runs that are missing",
                                            list_.size() - list_.finished()),
                                "finished runs are written down; the same command goes on from "
                                "there")
                         .error(),
                     kExitRunFailed}};
    }
    ended_ = list_.ended();
}

void Coordinator::hand_out() {
    while (!idle_.empty() && !ended_) {
        const std::int32_t rank = idle_.front();
        const auto run = list_.next(rank);
        if (!run) return;
        idle_.erase(idle_.begin());
        const PlannedRun& planned = runs_[*run];
        // One that cannot be sent to is found lost soon.
        (void)ranks_.send(rank, kOrderTag,
                          to_bytes(Order{.run = *run,
                                         .number = planned.number,
                                         .frames = planned.frames,
                                         .is_part = planned.is_part}));
    }
}

/// Not after each of ten thousand short runs; those of a second would be repeated at most.
void Coordinator::write_now_and_then() {
    const auto now = std::chrono::steady_clock::now();
    if (!unwritten_ || (written_ && now - *written_ < 1s && !ended_)) return;
    written_ = now;
    unwritten_ = false;
    if (auto written = manifests_.write(); !written)
        take_failure(runs_.size(), 0, std::move(written.error()));
}

void Coordinator::stop_all() {
    const auto done = outcome();
    const Bytes order =
        to_bytes(Order{.stop = true, .exit_code = done ? kExitOk : done.error().exit_code});
    for (std::int32_t rank = 1; rank < ranks_.size(); ++rank)
        (void)ranks_.send(rank, kOrderTag, order); // one that is lost need not know
}

} // namespace tuff::cli
