// Each call that may fail fails in turn: one diagnostic, nothing left behind, and the program goes
// on, with the same device where there is one.

#include "fault_program.hpp"
#include "tests/common/environment.hpp"
#include "tests/gpu/failing_calls.hpp"
#include "tests/gpu/object_ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>

namespace tuff::testing_gpu {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kMaxCalls = 2000; ///< of a program

using MakeProgram = std::function<std::unique_ptr<FaultProgram>(Device&)>;

/// What a program was told of a fault, by results and otherwise.
struct Told {
    std::string failed; ///< the function; empty: there are fewer calls
    Diagnostics returned;
    std::vector<std::string> otherwise;

    std::size_t size() const { return returned.size() + otherwise.size(); }
};

/// Functions whose failure no call can return: what asks has no errors.
bool is_silent(const std::string& function) {
    return function == "vkQueueWaitIdle" || function == "vkDeviceWaitIdle";
}

class InjectedFaults : public HostTest {
  protected:
    Device adopted_with(Told& told) {
        HostDevice described = description();
        described.on_message = [&told](std::string_view message) {
            told.otherwise.emplace_back(message);
        };
        return adopted(described);
    }

    /// A program in which the call numbered `nth` runs out of memory, which tries again and goes on
    /// until its results have been checked.
    Told run_out_of_memory(std::uint64_t nth, const MakeProgram& make) {
        Told told;
        std::optional<Device> device = adopted_with(told);
        const ObjectLedger ledger(device->impl());
        {
            const FailingCalls failing(device->impl(), Fault::out_of_memory, nth);
            auto program = make(*device);
            for (const ProgramStep& step : program->steps()) {
                SCOPED_TRACE(step.name);
                if (auto done = step.run(); !done) {
                    std::ranges::move(done.error(), std::back_inserter(told.returned));
                    const auto again = step.run();
                    EXPECT_TRUE(again) << to_string(again.error());
                    if (!again) break;
                }
                if (step.checks && !failing.failed().empty()) break;
            }
            program.reset();
            told.failed = failing.failed();
        }
        device.reset();
        EXPECT_THAT(ledger.left(), IsEmpty());
        EXPECT_EQ(ledger.device_bytes(), 0);
        return told;
    }

    /// A program that loses the device at the call numbered `nth`, asks once more and ends.
    Told lose_device(std::uint64_t nth, const MakeProgram& make) {
        Told told;
        std::optional<Device> device = adopted_with(told);
        const ObjectLedger ledger(device->impl());
        {
            const FailingCalls failing(device->impl(), Fault::device_lost, nth);
            auto program = make(*device);
            for (const ProgramStep& step : program->steps()) {
                SCOPED_TRACE(step.name);
                auto done = step.run();
                if (done) continue;
                std::ranges::move(done.error(), std::back_inserter(told.returned));
                expect_lost(step.run());
                break;
            }
            program.reset();
            told.failed = failing.failed();
            if (!told.failed.empty()) expect_lost(device->wait_idle());
            device.reset();
        }
        EXPECT_THAT(ledger.left(), IsEmpty());
        EXPECT_EQ(ledger.device_bytes(), 0);
        return told;
    }

    static void expect_lost(const Result<void>& result) {
        ASSERT_FALSE(result);
        EXPECT_THAT(codes(result), ElementsAre("gpu/device-lost"));
        EXPECT_NE(result.error()[0].hint, "");
    }

    void expect_to_end(const MakeProgram& make, std::uint64_t at_least) {
        for (std::uint64_t nth = 1; nth < kMaxCalls; ++nth) {
            SCOPED_TRACE("call " + std::to_string(nth));
            const Told told = lose_device(nth, make);
            SCOPED_TRACE(told.failed);
            for (const std::string& message : take_messages())
                ADD_FAILURE() << message;
            if (told.failed.empty()) {
                EXPECT_EQ(told.size(), 0u) << to_string(told.returned);
                EXPECT_GT(nth, at_least);
                fmt::print("{} calls failed, one at a time\n", nth - 1);
                return;
            }
            // Once by the call that has found out, and once more at the executor's end.
            EXPECT_LE(told.returned.size(), 1u) << to_string(told.returned);
            EXPECT_LE(told.otherwise.size(), 1u) << testing::PrintToString(told.otherwise);
            EXPECT_TRUE(told.size() > 0 || is_silent(told.failed));
            for (const Diagnostic& diagnostic : told.returned)
                EXPECT_EQ(diagnostic.code, "gpu/device-lost");
            // Another device serves the program.
            EXPECT_EQ(lose_device(0, make).size(), 0u);
        }
        FAIL() << "there is no end of calls";
    }

    static void expect_one_report(const Told& told) {
        EXPECT_EQ(told.size(), is_silent(told.failed) ? 0u : 1u)
            << to_string(told.returned) << testing::PrintToString(told.otherwise);
        for (const Diagnostic& diagnostic : told.returned) {
            EXPECT_EQ(diagnostic.code, "gpu/out-of-memory");
            EXPECT_THAT(diagnostic.message, HasSubstr(told.failed));
            EXPECT_NE(diagnostic.hint, "");
        }
    }

    /// Calls of a program in which none fails.
    std::uint64_t calls_of(const MakeProgram& make) {
        Told told;
        Device device = adopted_with(told);
        const FailingCalls calls(device.impl(), Fault::out_of_memory, 0);
        {
            const auto program = make(device);
            for (const ProgramStep& step : program->steps()) {
                const auto done = step.run();
                EXPECT_TRUE(done) << step.name << ": " << to_string(done.error());
            }
        }
        return calls.calls();
    }

    void expect_to_go_on(const MakeProgram& make, std::uint64_t at_least) {
        for (std::uint64_t nth = 1; nth < kMaxCalls; ++nth) {
            SCOPED_TRACE("call " + std::to_string(nth));
            const Told told = run_out_of_memory(nth, make);
            SCOPED_TRACE(told.failed);
            for (const std::string& message : take_messages())
                ADD_FAILURE() << message;
            if (told.failed.empty()) {
                EXPECT_EQ(told.size(), 0u) << to_string(told.returned);
                EXPECT_GT(nth, at_least);
                fmt::print("{} calls failed, one at a time\n", nth - 1);
                return;
            }
            expect_one_report(told);
        }
        FAIL() << "there is no end of calls";
    }
};

TEST_F(InjectedFaults, ARunnerGoesOnAfterAnyCallRanOutOfMemory) {
    TUFF_ONLY_ON(lavapipe);
    expect_to_go_on(
        [&](Device& device) {
            return program_of_runner(device, shaders(),
                                     {.compile = {.constant = ConstantWork::once}});
        },
        300);
}

TEST_F(InjectedFaults, StandInsAreMadeAfterAnyCallRanOutOfMemory) {
    TUFF_ONLY_ON(lavapipe);
    expect_to_go_on([&](Device& device) { return program_of_stand_ins(device, shaders()); }, 100);
}

TEST_F(InjectedFaults, ShippedGraphsGoOnAfterSomeCallsRanOutOfMemory) {
    TUFF_ONLY_ON(swiftshader);
    const ShippedFaults graphs[] = {
        {"mandelbrot", {{"width", "32"}, {"height", "18"}}, "20"},
        {"particles", {{"width", "32"}, {"height", "18"}, {"count", "64"}, {"steps", "1"}}, "20"},
        {"taylor-green",
         {{"width", "64"}, {"height", "40"}, {"side", "8"}, {"numbers", "256"}, {"kept", "8"}},
         "44"}};
    const std::uint64_t seconds = test::number_from("TUFF_SOAK_SECONDS", 0);
    // The flows take seconds under the validation layer.
    const std::size_t tried = seconds == 0 ? 2 : std::size(graphs);
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    std::mt19937 random(seconds == 0 ? 1u : std::random_device()());
    std::uint64_t failed = 0;
    std::vector<std::uint64_t> calls;
    do {
        for (std::size_t g = 0; g < tried && !HasFailure(); ++g) {
            const auto make = [&](Device& device) {
                return program_of_config(device, shaders(), graphs[g]);
            };
            if (calls.size() == g) calls.push_back(calls_of(make));
            const std::uint64_t nth = 1 + random() % calls[g];
            SCOPED_TRACE(fmt::format("{}, call {} of {}", graphs[g].name, nth, calls[g]));
            const Told told = run_out_of_memory(nth, make);
            SCOPED_TRACE(told.failed);
            EXPECT_NE(told.failed, "");
            expect_one_report(told);
            for (const std::string& message : take_messages())
                ADD_FAILURE() << message;
            ++failed;
        }
    } while (std::chrono::steady_clock::now() < until && !HasFailure());
    fmt::print("{} calls failed, of shipped graphs\n", failed);
}

TEST_F(InjectedFaults, AHostRecordsAfterAnyCallRanOutOfMemory) {
    expect_to_go_on([&](Device& device) { return program_of_host(device, shaders(), host()); }, 60);
}

// Nothing of a recording that was never whole is submitted, so Tuff may still submit for itself.
TEST_F(InjectedFaults, AnExecutorWhoseFirstRecordingFailedSubmitsForItself) {
    for (std::uint64_t nth = 1; nth < kMaxCalls; ++nth) {
        SCOPED_TRACE("call " + std::to_string(nth));
        Told told;
        Device device = adopted_with(told);
        HostCommands commands(host());
        Graph g = graph();
        const Buffer kept = test::doubled(g, test::iota(g, "kept", kWords, 1));
        const BufferHistory total = g.history_buffer("total", kWords, 1);
        const Buffer next = test::sum(g, kept, total.previous[0], total.current);
        g.output("words", g.copy(next, g.buffer("copy", kWords)));
        Executor executor = executor_on(device, std::move(g), {.constant = ConstantWork::once});
        const VkCommandBuffer buffer = commands.begin();
        const auto recorded = [&] {
            const FailingCalls failing(device.impl(), Fault::out_of_memory, nth);
            return record(executor, buffer);
        }();
        if (recorded) {
            EXPECT_GT(nth, 3u);
            commands.end_and_submit(buffer);
            commands.wait_idle();
            return;
        }
        for (std::uint32_t times = 1; times <= 3; ++times) {
            const auto executed = executor.execute();
            ASSERT_TRUE(executed) << to_string(executed.error());
            EXPECT_THAT(words(executor, "words"),
                        ElementsAre(2 * times, 4 * times, 6 * times, 8 * times));
            EXPECT_FALSE(executor.timings().nodes.empty());
        }
    }
    FAIL() << "there is no end of calls";
}

TEST_F(InjectedFaults, QueuesGoOnAfterAnyCallRanOutOfMemory) {
    expect_to_go_on([&](Device& device) { return program_of_queues(device, shaders()); }, 60);
}

TEST_F(InjectedFaults, QueuesEndWhereverTheDeviceIsLost) {
    expect_to_end([&](Device& device) { return program_of_queues(device, shaders()); }, 8);
}

TEST_F(InjectedFaults, ARunnerEndsWhereverTheDeviceIsLost) {
    expect_to_end(
        [&](Device& device) {
            return program_of_runner(device, shaders(),
                                     {.compile = {.constant = ConstantWork::once}});
        },
        50);
}

TEST_F(InjectedFaults, AHostsExecutorEndsWhereverTheDeviceIsLost) {
    expect_to_end([&](Device& device) { return program_of_host(device, shaders(), host()); }, 8);
}

} // namespace
} // namespace tuff::testing_gpu
