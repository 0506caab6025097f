#include "tests/oracle/queue_checks.hpp"
#include "tests/oracle/timeline.hpp"

#include <algorithm>

/// Semaphores, barriers, events and transfers of ownership.
namespace tuff::oracle {
namespace {

constexpr std::size_t number(Queue queue) {
    return static_cast<std::size_t>(queue);
}

bool is_transfer(const ImageBarrier& barrier) {
    return barrier.from_queue != barrier.to_queue;
}

bool belong_together(const ImageBarrier& release, const ImageBarrier& acquisition) {
    return release.range == acquisition.range && release.from == acquisition.from &&
           release.to == acquisition.to && release.from_queue == acquisition.from_queue &&
           release.to_queue == acquisition.to_queue;
}

/// Of a release nothing follows on its own queue, and an acquisition makes nothing available: the
/// other half and the semaphore between them do.
Dependency dependency_of(const ImageBarrier& b, Queue queue) {
    if (!is_transfer(b))
        return {b.source_stages, b.source_memory, b.destination_stages, b.destination_memory};
    if (queue == b.from_queue) return {b.source_stages, b.source_memory, 0, 0};
    return {b.source_stages, 0, b.destination_stages, b.destination_memory};
}

Dependency dependency_of(const MemoryBarrier& b) {
    return {b.source_stages, b.source_memory, b.destination_stages, b.destination_memory};
}

} // namespace

// --- semaphores ----------------------------------------------------------------------------------

/// Other queues begin after all of the execution before; the main one goes on as it was.
void Timeline::follow_execution_before() {
    next_submission_.fill(0);
    for (State& state : states_)
        for (Record& record : state.records) {
            for (std::uint32_t& reached : record.reached)
                if (reached != kNever) reached = 0;
            for (const Queue queue : {Queue::compute, Queue::transfer, Queue::host}) {
                record.standing.pass_semaphore(Queue::graphics, queue);
                record.reached[number(queue)] = 0;
            }
        }
}

/// Begins all submissions of its queue up to this one that have not yet begun.
void Timeline::enter(std::uint32_t submission) {
    const Queue queue = plan_.submissions[submission].queue;
    while (next_submission_[number(queue)] <= submission) {
        const std::uint32_t next = next_submission_[number(queue)];
        const Submission& entered = plan_.submissions[next];
        if (entered.queue == queue)
            for (std::uint32_t i = 0; i < entered.wait_count; ++i)
                wait_for(plan_.waits[entered.first_wait + i], next);
        next_submission_[number(queue)] = next + 1;
        if (entered.queue == queue) run_host_barrier(entered.from_host, queue);
    }
}

void Timeline::run_host_barrier(const MemoryBarrier& barrier, Queue queue) {
    if (barrier != MemoryBarrier{}) run_batch({{nullptr, dependency_of(barrier)}}, queue);
}

/// All that comes before the end of `other` comes before `submission`, and is visible to it.
void Timeline::wait_for(std::uint32_t other, std::uint32_t submission) {
    enter(other);
    const std::size_t there = number(plan_.submissions[other].queue);
    const Queue here = plan_.submissions[submission].queue;
    for (State& state : states_)
        for (Record& record : state.records) {
            if (record.reached[there] > other) continue;
            record.standing.pass_semaphore(plan_.submissions[other].queue, here);
            std::uint32_t& reached = record.reached[number(here)];
            reached = std::min(reached, submission);
        }
}

// --- batches -------------------------------------------------------------------------------------

void Timeline::add_images(Steps& steps, std::uint32_t first, std::uint32_t count,
                          Queue queue) const {
    for (std::uint32_t i = first; i < first + count; ++i) {
        const ImageBarrier& barrier = plan_.image_barriers[i];
        steps.push_back({&barrier, dependency_of(barrier, queue)});
    }
}

Timeline::Steps Timeline::steps_before(const Level& level) const {
    Steps steps;
    if (level.memory != MemoryBarrier{}) steps.push_back({nullptr, dependency_of(level.memory)});
    add_images(steps, level.first_image_barrier, level.image_barrier_count, level.queue);
    return steps;
}

Timeline::Steps Timeline::steps_after(const Level& level) const {
    Steps steps;
    add_images(steps, level.first_release, level.release_count, level.queue);
    return steps;
}

void Timeline::run_batch(const Steps& steps, Queue queue) {
    if (steps.empty()) return;
    ++batch_;
    Steps globals;
    std::map<std::uint32_t, Steps> of_images; // per part
    for (const Step& step : steps) {
        if (!step.image) {
            globals.push_back(step);
            continue;
        }
        const std::uint32_t object = parts_.object_of(step.image->resource, execution_);
        for (const std::uint32_t part : parts_.inside(object, step.image->range)) {
            of_images[part].push_back(step);
            for (const std::uint32_t sharer : parts_.all()[part].sharing)
                if (!states_[sharer].records.empty()) of_images[sharer].push_back(step);
        }
    }
    // The barriers of one command do not chain: each sees what was before the command.
    const auto pass = [&](State& state, const Steps& passed) {
        for (Record& record : state.records) {
            if (passed.size() == 1) { // nothing to chain with
                const Standing before = record.standing;
                record.standing.pass(before, passed.front().dependency, queue);
                continue;
            }
            const Record old = record;
            for (const Step& step : passed)
                record.standing.pass(old.standing, step.dependency, queue);
        }
    };
    RecordsBefore before;
    for (auto& [part, passed] : of_images) {
        before[part] = states_[part].records;
        passed.insert(passed.end(), globals.begin(), globals.end());
        pass(states_[part], passed);
    }
    if (!globals.empty())
        for (std::uint32_t part = 0; part < states_.size(); ++part)
            if (!of_images.contains(part)) pass(states_[part], globals);
    for (const Step& step : steps)
        if (step.image) transition(step, queue, before);
}

// --- layouts and owners --------------------------------------------------------------------------

void Timeline::check_transition_waits(const Step& step, Queue queue, std::uint32_t part,
                                      std::uint32_t where, const RecordsBefore& before) {
    if (states_[where].transitioned_in == batch_)
        findings_.add(Fault::unordered, "one batch changes the layout of {} and of {}{}",
                      parts_.name(part), parts_.name(where), point());
    const auto records = before.find(where);
    if (records == before.end()) return;
    for (const Record& record : records->second) {
        // Those of one queue follow each other.
        if (record.standing.is_transition && record.standing.queue == queue) continue;
        if (!record.standing.precedes(step.dependency, queue))
            findings_.add(Fault::unordered, "the layout change of {} does not wait for {}{}",
                          parts_.name(part), describe(record), point());
        else if (record.standing.is_write && !record.standing.available_to(step.dependency, queue))
            findings_.add(Fault::unavailable,
                          "the layout change of {} may come before {} is available{}",
                          parts_.name(part), describe(record), point());
    }
}

/// Who owns the part after the barrier, and whether it may be the one to say so.
void Timeline::hand_over(const ImageBarrier& barrier, std::uint32_t part, Queue queue) {
    State& state = states_[part];
    const std::string name = parts_.name(part, barrier.resource);
    if (!is_exclusive(barrier.resource)) {
        if (is_transfer(barrier))
            findings_.add(Fault::ownership, "a barrier transfers {}, which nobody owns{}", name,
                          point());
        return;
    }
    const bool acquires = is_transfer(barrier) && queue == barrier.to_queue;
    const bool keeps = barrier.from != Layout::undefined;
    if (acquires) {
        if (!state.in_transit || !belong_together(*state.in_transit, barrier))
            findings_.add(Fault::ownership, "the {} queue acquires {}, which is not released so{}",
                          oracle::name_of(queue), name, point());
    } else if (state.in_transit && (keeps || is_transfer(barrier))) {
        findings_.add(Fault::ownership, "a barrier changes {} between release and acquisition{}",
                      name, point());
    } else if (keeps && state.owner && *state.owner != queue) {
        findings_.add(Fault::ownership, "a barrier changes {} on the {} queue, not on the {} one{}",
                      name, oracle::name_of(queue), oracle::name_of(*state.owner), point());
    }
    state.in_transit = is_transfer(barrier) && !acquires ? &barrier : nullptr;
    state.owner = queue;
}

void Timeline::transition(const Step& step, Queue queue, const RecordsBefore& before) {
    const ImageBarrier& barrier = *step.image;
    const bool changes = barrier.from != barrier.to || is_transfer(barrier);
    const bool releases = is_transfer(barrier) && queue == barrier.from_queue;
    for (const std::uint32_t part :
         parts_.inside(parts_.object_of(barrier.resource, execution_), barrier.range)) {
        State& state = states_[part];
        if (barrier.from != Layout::undefined && barrier.from != state.layout)
            findings_.add(Fault::wrong_layout, "a barrier takes {} for {}, but it is in {}{}",
                          parts_.name(part, barrier.resource), tuff::name_of(barrier.from),
                          tuff::name_of(state.layout), point());
        if (!changes) continue;
        check_transition_waits(step, queue, part, part, before);
        for (const std::uint32_t sharer : parts_.all()[part].sharing)
            check_transition_waits(step, queue, part, sharer, before);
        hand_over(barrier, part, queue);
        if (barrier.from == Layout::undefined) state.contents = {.loss = Loss::discarded};
        if (!releases) state.layout = barrier.to;
        state.transitioned_in = batch_;
        forget_all_before(part);
        add_record(
            part,
            {.standing = Standing::transition(step.dependency, queue), .execution = execution_},
            queue);
        overwrite_sharers(part);
    }
}

} // namespace tuff::oracle
