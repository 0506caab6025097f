// Random graphs of real kernels: whatever the compiler and the executor are told to leave out,
// the words that come out are the same, and the validation layer is silent.
//
// TUFF_RANDOM_GRAPHS=1000 tries more, TUFF_RANDOM_SEED=123 begins elsewhere.

#include "executable_graph.hpp"
#include "tests/common/environment.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/oracle/random_graph.hpp"

#include <tuff/explain.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>

namespace tuff::testing_gpu {
namespace {

using test::number_from;

struct Mode {
    const char* name;
    CompileOptions compile;
    ExecutorOptions execute;
    /// Half of the executions are another executor's, of a plan compiled so.
    std::optional<CompileOptions> moves_to = {};
};
const Mode kModes[] = {
    {"default", {}, {}},
    {"default, waiting for every execution", {}, {.frames_in_flight = 1}},
    {"recorded on three threads", {}, {.frames_in_flight = 3, .recording_threads = 3}},
    {"recorded anew each time", {}, {.replay = Replay::off}},
    {"alias off", {.alias = AliasMode::off}, {}},
    {"order declared", {.order = OrderMode::declared}, {}},
    {"barriers full", {.barriers = BarrierMode::full}, {}},
    {"layouts general", {.layouts = LayoutMode::general}, {}},
    {"queues automatic", {.queues = QueueMode::automatic}, {}},
    {"queues automatic, layouts general",
     {.layouts = LayoutMode::general, .queues = QueueMode::automatic},
     {}},
    {"queues one", {.queues = QueueMode::one}, {}},
    {"constant work once", {.constant = ConstantWork::once}, {}},
    {"constant work once, three executions in flight",
     {.constant = ConstantWork::once},
     {.frames_in_flight = 3, .timings = Timings::off}},
    {"constant work once, queues automatic",
     {.queues = QueueMode::automatic, .constant = ConstantWork::once},
     {}},
    {"constant work once, poison", {.constant = ConstantWork::once, .poison = true}, {}},
    {"poison", {.poison = true}, {}},
    {"another executor", {}, {}, CompileOptions{}},
    {"another executor with other queues and layouts",
     {.layouts = LayoutMode::general},
     {.frames_in_flight = 3},
     CompileOptions{.alias = AliasMode::off, .queues = QueueMode::automatic}},
    {"another executor with constant work once",
     {.queues = QueueMode::automatic},
     {},
     CompileOptions{.layouts = LayoutMode::general,
                    .constant = ConstantWork::once,
                    .poison = true,
                    .memory_budget = 1}},
    {"all safe modes",
     {.alias = AliasMode::off,
      .order = OrderMode::declared,
      .barriers = BarrierMode::full,
      .queues = QueueMode::one,
      .poison = true},
     {.timings = Timings::off}},
};

/// The bytes of every output, by name with mip and layer; or what went wrong.
using Contents = std::map<std::string, std::vector<std::byte>>;

class RandomExecution : public GpuTest {
  protected:
    static constexpr std::uint32_t kExecutions = 5;

    /// What is wrong with the graph of `program`; empty: nothing.
    std::string objection(const oracle::Program& program) {
        std::optional<Contents> expected;
        for (const Mode& mode : kModes) {
            const Result<Contents> contents = execute(program, mode);
            const std::vector<std::string> messages = take_messages();
            if (!contents) return fmt::format("{}: {}", mode.name, to_string(contents.error()));
            if (!messages.empty()) return fmt::format("{}: {}", mode.name, messages.front());
            if (!expected) expected = *contents;
            for (const auto& [name, bytes] : *expected)
                if (contents->at(name) != bytes)
                    return fmt::format("{}: {} differs from that of the default", mode.name, name);
        }
        outputs_ += expected->size();
        return {};
    }

    /// `damage` gets the plan before it runs.
    Result<Contents> execute(const oracle::Program& program, const Mode& mode,
                             const std::function<void(Plan&)>& damage = {}) {
        const auto memory = memory_model(device());
        CompileOptions options = mode.compile;
        options.memory = memory.get();
        GraphDesc graph = build_executable(shaders(), program, 0);
        auto plan = compile(std::move(graph), device().caps(), options);
        if (!plan) return propagate(std::move(plan));
        if (damage) damage(*plan);
        auto executor = Executor::create(
            device(), shaders(), std::make_shared<const Plan>(std::move(*plan)), mode.execute);
        if (!executor) return propagate(std::move(executor));
        std::vector<std::byte> parameters = build_executable(shaders(), program, 0).parameters;
        for (std::uint32_t frame = 0; frame < kExecutions; ++frame) {
            if (mode.moves_to && frame == kExecutions / 2)
                if (auto ok = move(*executor, program, mode); !ok) return propagate(std::move(ok));
            change_some(parameters, program, frame);
            if (auto ok = executor->set_parameters(parameters); !ok)
                return propagate(std::move(ok));
            if (auto ok = executor->execute(); !ok) return propagate(std::move(ok));
        }
        return read(*executor);
    }

    /// Replaces the executor by another one, which goes on with what it has kept.
    Result<void> move(Executor& executor, const oracle::Program& program, const Mode& mode) {
        const auto memory = memory_model(device());
        CompileOptions options = *mode.moves_to;
        options.memory = memory.get();
        auto plan = compile(build_executable(shaders(), program, 0), device().caps(), options);
        if (!plan) return propagate(std::move(plan));
        auto other = Executor::create(device(), shaders(),
                                      std::make_shared<const Plan>(std::move(*plan)), mode.execute);
        if (!other) return propagate(std::move(other));
        if (other->histories() != executor.histories())
            return fail("test/histories", "two plans of one graph have other histories");
        moved_ += other->histories().size();
        for (std::size_t i = 0; i < other->histories().size(); ++i) {
            const auto contents = executor.read_history(i);
            if (!contents) return std::unexpected(contents.error());
            if (auto ok = other->write_history(i, *contents); !ok) return ok;
        }
        executor = std::move(*other);
        return {};
    }

    /// In every second execution a node in three is given parameters of its own, so that constant
    /// work is left alone in some and made again in others.
    void change_some(std::vector<std::byte>& parameters, const oracle::Program& program,
                     std::uint32_t frame) {
        if (frame % 2 != 0) return;
        const GraphDesc changed = build_executable(shaders(), program, frame);
        const auto copy = [&](std::uint32_t offset, std::uint32_t size) {
            std::copy_n(changed.parameters.begin() + offset, size, parameters.begin() + offset);
        };
        for (std::uint32_t n = 0; n < changed.nodes.size(); ++n) {
            const std::uint32_t payload = changed.nodes[n].payload;
            if (payload == ~0u || (n + frame / 2) % 3 != 0) continue;
            const KernelUse* use = nullptr;
            if (const auto* compute = std::get_if<ComputeNode>(&changed.payloads[payload]))
                use = &compute->kernel;
            if (const auto* raster = std::get_if<RasterNode>(&changed.payloads[payload]))
                use = &raster->kernel;
            if (!use) continue;
            copy(use->push_offset, use->shader->push_bytes);
            copy(use->param_offset, use->shader->param_bytes);
        }
    }

    static Result<Contents> read(Executor& executor) {
        Contents contents;
        const GraphDesc& graph = executor.plan().graph;
        for (const OutputDesc& output : graph.outputs) {
            const std::string name(graph.name(output.name));
            const ResourceDesc& resource = graph.resource_of(output.version);
            if (!resource.is_image()) {
                auto bytes = executor.read_buffer(name);
                if (!bytes) return propagate(std::move(bytes));
                contents[name] = std::move(*bytes);
                continue;
            }
            for (std::uint32_t mip = 0; mip < resource.image().mips; ++mip)
                for (std::uint32_t layer = 0; layer < resource.image().layers; ++layer) {
                    auto image = executor.read_image(name, mip, layer);
                    if (!image) return propagate(std::move(image));
                    contents[fmt::format("{} mip {} layer {}", name, mip, layer)] =
                        std::move(image->texels);
                }
        }
        return contents;
    }

    std::string smallest_failure(oracle::Program program) {
        program = oracle::shrink(std::move(program), [&](const oracle::Program& smaller) {
            return !objection(smaller).empty();
        });
        const GraphDesc graph = build_executable(shaders(), program, 0);
        const auto plan = compile(graph, device().caps());
        return fmt::format("{}{}{}", oracle::to_text(graph), plan ? explain(*plan) : "",
                           objection(program));
    }

    std::size_t outputs_ = 0; ///< outputs compared
    std::size_t moved_ = 0;   ///< histories brought from one executor to another
};

TEST_F(RandomExecution, GivesTheSameWordsInEveryMode) {
    const std::uint64_t first = number_from("TUFF_RANDOM_SEED", 1);
    const std::uint64_t count = number_from("TUFF_RANDOM_GRAPHS", 24);
    std::size_t nodes = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const oracle::Program program = oracle::random_program(seed, 120);
        nodes += build_executable(shaders(), program, 0).nodes.size();
        const std::string text = objection(program);
        ASSERT_TRUE(text.empty()) << "seed " << seed << ": " << text << "\nsmallest:\n"
                                  << smallest_failure(program);
    }
    EXPECT_GT(outputs_, 0u);
    EXPECT_GT(moved_, 0u);
    fmt::print("seeds {}..{}: {} nodes, {} outputs in {} modes\n", first, first + count - 1, nodes,
               outputs_, std::size(kModes));
}

// The comparison can fail: plans that lost something essential are told from those that did not.
TEST_F(RandomExecution, NoticesMissingBarriers) {
    std::size_t noticed = 0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const auto contents = execute(oracle::random_program(seed, 120), kModes[0], [](Plan& plan) {
            for (Level& level : plan.levels)
                level.memory = {};
        });
        EXPECT_TRUE(contents);
        if (!take_messages().empty()) ++noticed;
    }
    EXPECT_GT(noticed, 0u);
}

TEST_F(RandomExecution, NoticesSharedMemory) {
    std::size_t noticed = 0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const oracle::Program program = oracle::random_program(seed, 120);
        const auto expected = execute(program, kModes[0]);
        const auto contents = execute(program, kModes[0], [](Plan& plan) {
            for (Allocation& allocation : plan.allocations)
                allocation.offset = 0;
        });
        ASSERT_TRUE(expected && contents);
        if (*contents != *expected) ++noticed;
        (void)take_messages();
    }
    EXPECT_GT(noticed, 0u);
}

} // namespace
} // namespace tuff::testing_gpu
