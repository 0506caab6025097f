#include "gpu/execute/timings.hpp"

#include "gpu/device/clocks.hpp"
#include "gpu/execute/recorder.hpp"

#include <algorithm>

namespace tuff {
namespace {

/// The slots whose executions have finished, oldest first.
std::vector<const FrameSlot*> finished_slots(const ExecutorImpl& executor) {
    const auto finished = executor.submitter.finished();
    if (!finished) return {};
    std::vector<const FrameSlot*> slots;
    for (const FrameSlot& slot : executor.slots)
        if (slot.execution != 0 && slot.execution <= *finished) slots.push_back(&slot);
    std::ranges::sort(slots, {}, &FrameSlot::execution);
    const std::size_t most = executor.frames_in_flight();
    if (slots.size() > most) slots.erase(slots.begin(), slots.end() - static_cast<long>(most));
    return slots;
}

/// What the device wrote into a query; `available` is zero where it wrote nothing.
struct Tick {
    std::uint64_t value = 0;
    std::uint64_t available = 0;
};

class Ticks {
  public:
    Ticks(const ExecutorImpl& executor, const FrameSlot& slot)
        : layout_(*executor.plan), ticks_(layout_.count()),
          period_(executor.device->caps.timestamp_period_ns) {
        if (!slot.queries || slot.timed == Timings::off) return;
        const VkResult read = executor.device->vk.vkGetQueryPoolResults(
            executor.device->handle, slot.queries.get(), 0, layout_.count(),
            ticks_.size() * sizeof(Tick), ticks_.data(), sizeof(Tick),
            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
        if (read < VK_SUCCESS) ticks_.assign(ticks_.size(), {});
    }
    const TimestampLayout& layout() const { return layout_; }

    /// The query of the submission that began first.
    std::uint32_t start() const {
        std::uint32_t first = 0;
        for (std::uint32_t i = 1; i < layout_.submissions; ++i)
            if (ticks_[i].available != 0 &&
                (ticks_[first].available == 0 || ticks_[i].value < ticks_[first].value))
                first = i;
        return first;
    }
    const Tick& at(std::uint32_t query) const { return ticks_[query]; }
    double milliseconds(std::uint32_t from, std::uint32_t to) const {
        if (ticks_[from].available == 0 || ticks_[to].available == 0) return 0.0;
        // Timestamps of some drivers step back by a tick between cores.
        if (ticks_[to].value <= ticks_[from].value) return 0.0;
        return static_cast<double>(ticks_[to].value - ticks_[from].value) * period_ * 1e-6;
    }

  private:
    TimestampLayout layout_;
    std::vector<Tick> ticks_;
    double period_;
};

ExecutionTimings timings_of(const ExecutorImpl& executor, const FrameSlot& slot,
                            const Ticks& ticks) {
    ExecutionTimings result;
    result.execution = slot.execution;
    const Plan& plan = *executor.plan;
    const std::uint32_t start = ticks.start();
    result.milliseconds = ticks.milliseconds(start, ticks.layout().end());
    if (slot.timed != Timings::nodes) return result;
    result.nodes.resize(plan.order.size());
    for (const Level& level : plan.levels)
        for (std::uint32_t i = 0; i < level.node_count && level.queue == Queue::host; ++i) {
            const std::uint32_t position = level.first_node + i;
            result.nodes[position] = executor.host_thread->timing(position, slot.execution);
        }
    std::uint32_t before = 0;
    for (const Segment& segment : executor.cut.segments) {
        if (segment.begins) before = ticks.layout().begin(segment.submission);
        for (const Piece& piece : executor.cut.pieces_of(segment))
            for (std::uint32_t i = piece.first; i < piece.last; ++i) {
                result.nodes[i] = {.name = std::string(plan.graph.name_of(plan.order[i])),
                                   .milliseconds =
                                       ticks.milliseconds(before, ticks.layout().after(i)),
                                   .start = ticks.milliseconds(start, before),
                                   .queue = plan.submissions[segment.submission].queue};
                before = ticks.layout().after(i);
            }
    }
    return result;
}

ExecutionTimings read_slot(const ExecutorImpl& executor, const FrameSlot& slot) {
    return timings_of(executor, slot, Ticks(executor, slot));
}

} // namespace

TracedExecution traced_execution(const ExecutorImpl& executor, const FrameSlot& slot) {
    const Ticks ticks(executor, slot);
    TracedExecution result{.timings = timings_of(executor, slot, ticks),
                           .setup = executor.is_setup,
                           .submitted = slot.submitted_at,
                           .seen_ended = host_time()};
    const DeviceImpl& device = *executor.device;
    const std::uint32_t start = ticks.start();
    result.timed = ticks.at(start).available != 0;
    if (!result.timed) return result;
    const std::uint64_t began = ticks.at(start).value;
    const double period = device.caps.timestamp_period_ns;
    result.device_start = static_cast<double>(began) * period;
    const auto clocks = read_clocks(device);
    if (!clocks) return result;
    const DeviceQueue& queue = *device.queue(executor.plan->submissions[start].queue);
    result.calibrated = true;
    result.host_start = host_nanoseconds(*clocks, began, queue.timestamp_bits, period);
    result.deviation = static_cast<double>(clocks->deviation);
    return result;
}

ExecutionTimings read_timings(const ExecutorImpl& executor) {
    const std::vector<const FrameSlot*> slots = finished_slots(executor);
    ExecutionTimings result =
        slots.empty() ? ExecutionTimings{} : read_slot(executor, *slots.back());
    if (executor.setup) result.setup = read_timings(*executor.setup).nodes;
    return result;
}

std::vector<ExecutionTimings> read_recent_timings(const ExecutorImpl& executor) {
    std::vector<ExecutionTimings> result;
    for (const FrameSlot* slot : finished_slots(executor))
        result.push_back(read_slot(executor, *slot));
    return result;
}

} // namespace tuff
