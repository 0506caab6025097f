// What executors note of the host's work and the device's.

#include "gpu/device/clocks.hpp"
#include "gpu/device/semaphores.hpp"
#include "gpu/execute/executor_impl.hpp"
#include "host_fixture.hpp"

#include <tuff/timeline.hpp>

#include <algorithm>

namespace tuff::testing_gpu {
namespace {

class TimelineTest : public HostTest {
  protected:
    Graph fills() {
        Graph graph;
        for (const char* name : {"first", "second"})
            graph.output(name, graph.fill(graph.buffer("words", kWords), 7, name));
        return graph;
    }
    ExecutorOptions noted() { return {.frames_in_flight = 2, .timeline = &timeline_}; }

    static const HostSpan* find(const std::vector<HostSpan>& spans, HostWork work,
                                std::uint64_t execution) {
        const auto found = std::ranges::find_if(spans, [&](const HostSpan& span) {
            return span.work == work && span.execution == execution;
        });
        return found == spans.end() ? nullptr : &*found;
    }

    tuff::Timeline timeline_;
};

TEST_F(TimelineTest, AnExecutionLiesBetweenItsSubmissionAndTheEndOfItsWait) {
    for (const bool calibrated : {true, false}) {
        Device own = adopted(description());
        if (calibrated && !own.impl().tells_clocks) continue; // SwiftShader
        own.impl().tells_clocks = calibrated;
        {
            Executor executor = executor_on(own, fills(), {}, noted());
            for (int i = 0; i < 3; ++i) {
                ASSERT_TRUE(executor.execute());
                ASSERT_TRUE(executor.wait());
            }
        }
        const std::vector<HostSpan> spans = timeline_.take_spans();
        std::vector<TracedExecution> executions = timeline_.take_executions();
        const ClockAlignment clocks = align_clocks(executions);
        EXPECT_EQ(clocks.calibrated, calibrated);
        ASSERT_EQ(executions.size(), 3u);
        for (const TracedExecution& execution : executions) {
            ASSERT_TRUE(execution.timed);
            const HostSpan* submit = find(spans, HostWork::submit, execution.timings.execution);
            const HostSpan* wait = find(spans, HostWork::wait, execution.timings.execution);
            ASSERT_TRUE(submit && wait);
            const double end = execution.host_start + execution.timings.milliseconds * 1e6;
            EXPECT_GE(execution.host_start + execution.deviation,
                      static_cast<double>(submit->begin));
            EXPECT_LE(end - execution.deviation,
                      static_cast<double>(calibrated ? wait->end : execution.seen_ended));
            ASSERT_EQ(execution.timings.nodes.size(), 2u);
            EXPECT_EQ(execution.timings.nodes[1].name, "second");
        }
    }
}

TEST_F(TimelineTest, ExecutionsInFlightOverlapAndNoneIsMissed) {
    auto gate = create_timeline_semaphore(host());
    ASSERT_TRUE(gate);
    {
        Executor executor = executor_on(device(), fills(), {}, noted());
        VkSemaphoreSubmitInfo wait{};
        wait.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
        wait.semaphore = gate->get();
        wait.value = 1;
        wait.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        ASSERT_TRUE(executor.impl().execute(std::span(&wait, 1)));
        ASSERT_TRUE(executor.execute());
        VkSemaphoreSignalInfo open{};
        open.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
        open.semaphore = gate->get();
        open.value = 1;
        ASSERT_EQ(host().vk.vkSignalSemaphore(host().handle, &open), VK_SUCCESS);
        for (int i = 0; i < 5; ++i)
            ASSERT_TRUE(executor.execute());
    }
    std::vector<TracedExecution> executions = timeline_.take_executions();
    const ClockAlignment clocks = align_clocks(executions);
    std::ranges::sort(executions, {}, [](const auto& e) { return e.timings.execution; });
    ASSERT_EQ(executions.size(), 7u);
    for (std::size_t i = 0; i < executions.size(); ++i)
        EXPECT_EQ(executions[i].timings.execution, i + 1);
    EXPECT_LT(executions[1].submitted, executions[0].seen_ended);
    if (!clocks.calibrated) return; // what lies within the slack is not known
    EXPECT_LT(static_cast<double>(executions[1].submitted),
              executions[0].host_start + executions[0].timings.milliseconds * 1e6 +
                  executions[0].deviation)
        << "the second was submitted before the first could begin";
}

TEST_F(TimelineTest, TheHostsWorkIsNamed) {
    {
        Executor executor = executor_on(device(), fills(), {}, noted());
        ASSERT_TRUE(executor.execute());
        ASSERT_TRUE(executor.read_buffer("first"));
    }
    const std::vector<HostSpan> spans = timeline_.take_spans();
    for (const HostWork work : {HostWork::create, HostWork::kernels})
        EXPECT_TRUE(find(spans, work, 0)) << name_of(work);
    for (const HostWork work : {HostWork::upload, HostWork::record, HostWork::submit,
                                HostWork::wait, HostWork::readback}) {
        const HostSpan* const span = find(spans, work, 1);
        ASSERT_TRUE(span) << name_of(work);
        EXPECT_LE(span->begin, span->end);
    }
}

TEST_F(TimelineTest, ClocksAreReadAtOneTime) {
    const HostTime before = host_time();
    const auto reading = read_clocks(host());
    const HostTime after = host_time();
    EXPECT_EQ(reading.has_value(), host().tells_clocks);
    if (!reading) return;
    EXPECT_GE(reading->host, before);
    EXPECT_LE(reading->host, after);
}

} // namespace
} // namespace tuff::testing_gpu
