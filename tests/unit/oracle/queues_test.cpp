#include "tests/unit/oracle/hand_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Plans for several queues, written by hand: each sound one passes, and each damaged twin is
/// called by its name.
namespace tuff {
namespace {

using oracle::Fault;
using test::Around;
using test::HandPlan;
using test::kFull;

constexpr BufferDesc kQueueBuffer{.size = 1024};
constexpr ImageDesc kQueueImage{.extent = {16, 16, 1}};
constexpr Around kBarrier{.memory = kFull};

/// A node that reads some buffers and writes another.
Buffer step(Graph& graph, std::string_view name, const std::vector<Buffer>& sources, Buffer target,
            StageMask stages = stage::kCompute) {
    CustomNodeBuilder node = graph.custom(name);
    for (const Buffer source : sources)
        node.read(source, Access::storage_read, stages);
    return node.write(target, Access::storage_write, stages);
}

/// Lets the oracle accept the queues a plan names, as if every node had asked for its own.
void allow_queues(HandPlan& plan) {
    plan.plan.options.queues = QueueMode::automatic;
}

/// A submission of one node. On the graphics queue a full barrier stands before it.
struct Turn {
    Queue queue;
    std::string_view node;
    std::vector<std::uint32_t> waits = {}; ///< for these earlier turns
};
/// The nodes by turns; queues share the buffers `shared`.
HandPlan dealt(Graph graph, const std::vector<std::string_view>& shared,
               const std::vector<Turn>& turns) {
    HandPlan plan(std::move(graph));
    allow_queues(plan);
    for (const std::string_view name : shared)
        plan.share(name);
    for (const Turn& turn : turns) {
        plan.submit(turn.queue, turn.waits);
        plan.level({turn.node}, turn.queue == Queue::graphics ? kBarrier : Around{});
    }
    plan.end();
    return plan;
}

//        produce ---+--------> beside --+
//   main   |                            v
//          +--> work (compute) ------> join
Graph fork() {
    Graph graph;
    const Buffer a = step(graph, "produce", {}, graph.buffer("a", kQueueBuffer));
    const Buffer b = step(graph, "work", {a}, graph.buffer("b", kQueueBuffer));
    const Buffer c = step(graph, "beside", {a}, graph.buffer("c", kQueueBuffer));
    graph.output("d", step(graph, "join", {b, c}, graph.buffer("d", kQueueBuffer)));
    return graph;
}

HandPlan fork_plan(const std::vector<std::uint32_t>& work_waits = {0},
                   const std::vector<std::uint32_t>& join_waits = {1}) {
    return dealt(fork(), {"a", "b"},
                 {{Queue::graphics, "produce"},
                  {Queue::compute, "work", work_waits},
                  {Queue::graphics, "beside"},
                  {Queue::graphics, "join", join_waits}});
}

TEST(QueueOracle, AcceptsWorkOnASecondQueueBetweenTwoSemaphores) {
    EXPECT_EQ(fork_plan().text(), "");
}

TEST(QueueOracle, MissesAWait) {
    EXPECT_EQ(fork_plan({}).fault(), Fault::unordered);
    EXPECT_THAT(fork_plan({}).text(),
                testing::HasSubstr("'work' reads 'a', which is not ordered after"));
}

TEST(QueueOracle, SeesThatTheLastSubmissionDoesNotComeAfterAll) {
    EXPECT_EQ(fork_plan({0}, {}).fault(), Fault::bad_submission);
}

TEST(QueueOracle, SeesImpossibleWaits) {
    EXPECT_EQ(fork_plan({1}).fault(), Fault::bad_submission) << "of itself";
    EXPECT_EQ(fork_plan({3}).fault(), Fault::bad_submission) << "of a later one";
    EXPECT_EQ(fork_plan({0}, {1, 2}).fault(), Fault::bad_submission) << "of its own queue";
    HandPlan outside = fork_plan();
    outside.plan.submissions[1].wait_count = 100;
    EXPECT_EQ(outside.fault(), Fault::malformed);
}

TEST(QueueOracle, SeesLevelsOfOneSubmissionOnTwoQueues) {
    HandPlan plan = fork_plan();
    plan.plan.levels[1].queue = Queue::graphics;
    EXPECT_EQ(plan.fault(), Fault::bad_submission);
}

TEST(QueueOracle, SeesASubmissionThatWaitsForLevelsFurtherDownTheList) {
    HandPlan plan(fork());
    allow_queues(plan);
    plan.share("a");
    plan.share("b");
    plan.submit(Queue::graphics);
    plan.submit(Queue::compute, {0});
    plan.submit(Queue::graphics, {1});
    plan.level_in(1, {"work"});
    plan.level_in(0, {"produce"}, kBarrier);
    plan.level_in(2, {"beside"}, kBarrier);
    plan.level_in(2, {"join"}, kBarrier);
    plan.end();
    EXPECT_EQ(plan.fault(), Fault::bad_submission) << plan.text();
}

TEST(QueueOracle, SeesAnEpilogueBesideTheLastSubmission) {
    HandPlan plan = fork_plan();
    plan.plan.epilogue.submission = 2;
    plan.plan.levels.back().submission = 2;
    EXPECT_EQ(plan.fault(), Fault::bad_submission);
}

/// A barrier holds on its own queue alone.
TEST(QueueOracle, TakesNoBarrierForASemaphore) {
    HandPlan plan = fork_plan({});
    plan.plan.levels[1].memory = kFull;
    plan.plan.levels[2].memory = kFull;
    EXPECT_EQ(plan.fault(), Fault::unordered);
}

// main: first -> compute: second -> transfer: third (reads what first made) -> main: last
HandPlan relay(const std::vector<std::uint32_t>& second_waits,
               const std::vector<std::uint32_t>& third_waits) {
    Graph graph;
    const Buffer a = step(graph, "first", {}, graph.buffer("a", kQueueBuffer));
    const Buffer b = step(graph, "second", {}, graph.buffer("b", kQueueBuffer));
    const Buffer c = graph.copy(a, graph.buffer("c", kQueueBuffer), "third");
    graph.output("d", step(graph, "last", {b, c}, graph.buffer("d", kQueueBuffer)));
    return dealt(std::move(graph), {"a", "b", "c"},
                 {{Queue::graphics, "first"},
                  {Queue::compute, "second", second_waits},
                  {Queue::transfer, "third", third_waits},
                  {Queue::graphics, "last", {1, 2}}});
}

TEST(QueueOracle, FollowsSemaphoresThroughAThirdQueue) {
    EXPECT_EQ(relay({0}, {1}).text(), "");
    EXPECT_EQ(relay({}, {0}).text(), "");
    EXPECT_EQ(relay({}, {1}).fault(), Fault::unordered) << "second does not wait for first";
}

// compute: early, late; main: sum reads both.
HandPlan two_in_a_row(std::uint32_t waited_for) {
    Graph graph;
    const Buffer a = step(graph, "early", {}, graph.buffer("a", kQueueBuffer));
    const Buffer b = step(graph, "late", {}, graph.buffer("b", kQueueBuffer));
    const Buffer c = step(graph, "sum", {a, b}, graph.buffer("c", kQueueBuffer));
    graph.output("d", step(graph, "last", {c}, graph.buffer("d", kQueueBuffer)));
    return dealt(std::move(graph), {"a", "b"},
                 {{Queue::compute, "early"},
                  {Queue::compute, "late"},
                  {Queue::graphics, "sum", {waited_for}},
                  {Queue::graphics, "last", {1}}});
}

TEST(QueueOracle, KnowsThatASignalCoversEarlierSubmissionsButNoLaterOnes) {
    EXPECT_EQ(two_in_a_row(1).text(), "");
    EXPECT_EQ(two_in_a_row(0).fault(), Fault::unordered);
    EXPECT_THAT(two_in_a_row(0).text(), testing::HasSubstr("the write of 'late'"));
}

/// Other queues follow the execution before, but only a wait brings them what the host hands over.
TEST(QueueOracle, TakesImportsForTheMainQueues) {
    const Scope state{stage::kCompute, memory::kStorageRead | memory::kStorageWrite};
    const auto plan_of = [&](const std::vector<std::uint32_t>& waits) {
        Graph graph;
        const Buffer in = graph.import_buffer("in", kQueueBuffer, {state, state});
        const Buffer a = step(graph, "begin", {}, graph.buffer("a", kQueueBuffer));
        const Buffer b = step(graph, "work", {in}, graph.buffer("b", kQueueBuffer));
        graph.output("c", step(graph, "end", {a, b}, graph.buffer("c", kQueueBuffer)));
        return dealt(std::move(graph), {"in", "b"},
                     {{Queue::graphics, "begin"},
                      {Queue::compute, "work", waits},
                      {Queue::graphics, "end", {1}}});
    };
    EXPECT_EQ(plan_of({0}).text(), "");
    EXPECT_EQ(plan_of({}).fault(), Fault::unordered);
}

// --- ownership -----------------------------------------------------------------------------------

// main: paint -> image -> compute: look -> buffer -> main: end
Graph gallery() {
    Graph graph;
    const Image image = graph.custom("paint").write(graph.image("image", kQueueImage),
                                                    Access::storage_write, stage::kCompute);
    CustomNodeBuilder look = graph.custom("look");
    look.read(image, Access::storage_read, stage::kCompute);
    const Buffer b =
        look.write(graph.buffer("b", kQueueBuffer), Access::storage_write, stage::kCompute);
    graph.output("c", step(graph, "end", {b}, graph.buffer("c", kQueueBuffer)));
    return graph;
}

struct Transfers {
    bool release = true;
    bool acquisition = true;
};
HandPlan gallery_plan(Transfers transfers = {}) {
    HandPlan plan(gallery());
    allow_queues(plan);
    plan.share("b");
    const ImageBarrier transfer = plan.transfer("image", Queue::graphics, Queue::compute);
    plan.submit(Queue::graphics);
    Around paint{.memory = kFull, .before = {plan.first_use("image")}, .after = {}};
    if (transfers.release) paint.after = {transfer};
    plan.level({"paint"}, paint);
    plan.submit(Queue::compute, {0});
    Around look;
    if (transfers.acquisition) look.before = {transfer};
    plan.level({"look"}, look);
    plan.submit(Queue::graphics, {1});
    plan.level({"end"}, kBarrier);
    plan.end();
    return plan;
}

TEST(QueueOracle, AcceptsATransferOfOwnership) {
    EXPECT_EQ(gallery_plan().text(), "");
}

TEST(QueueOracle, MissesEitherHalfOfATransfer) {
    EXPECT_EQ(gallery_plan({.release = false}).fault(), Fault::ownership);
    EXPECT_EQ(gallery_plan({.acquisition = false}).fault(), Fault::ownership);
    EXPECT_EQ(gallery_plan({.release = false, .acquisition = false}).fault(), Fault::ownership);
}

TEST(QueueOracle, SeesThatTheHalvesOfATransferDiffer) {
    HandPlan plan = gallery_plan();
    plan.plan.image_barriers.back().to = Layout::shader_read_only;
    EXPECT_EQ(plan.fault(), Fault::ownership) << plan.text();
}

TEST(QueueOracle, SeesAnAcquisitionThatDoesNotFollowTheSemaphore) {
    HandPlan plan = gallery_plan();
    plan.plan.image_barriers.back().source_stages = 0;
    EXPECT_EQ(plan.fault(), Fault::unordered) << plan.text();
}

TEST(QueueOracle, SeesAUseBetweenReleaseAndAcquisition) {
    Graph graph = gallery();
    CustomNodeBuilder peek = graph.custom("peek");
    peek.read(Image{{1}}, Access::storage_read, stage::kCompute);
    peek.keep();
    const auto plan_of = [&](bool after_release) {
        HandPlan plan{Graph(graph)};
        allow_queues(plan);
        plan.share("b");
        const ImageBarrier transfer = plan.transfer("image", Queue::graphics, Queue::compute);
        const std::vector<ImageBarrier> release{transfer};
        plan.submit(Queue::graphics);
        plan.level({"paint"}, {.memory = kFull,
                               .before = {plan.first_use("image")},
                               .after = after_release ? release : std::vector<ImageBarrier>{}});
        plan.level({"peek"}, {.memory = kFull,
                              .before = {},
                              .after = after_release ? std::vector<ImageBarrier>{} : release});
        plan.submit(Queue::compute, {0});
        plan.level({"look"}, {.memory = {}, .before = {transfer}, .after = {}});
        plan.submit(Queue::graphics, {1});
        plan.level({"end"}, kBarrier);
        plan.end();
        return plan;
    };
    EXPECT_EQ(plan_of(false).text(), "");
    EXPECT_EQ(plan_of(true).fault(), Fault::ownership) << plan_of(true).text();
}

TEST(QueueOracle, AsksForNoTransferOfConcurrentImages) {
    HandPlan without = gallery_plan({.release = false, .acquisition = false});
    without.share("image");
    EXPECT_EQ(without.text(), "");
    HandPlan with = gallery_plan();
    with.share("image");
    EXPECT_EQ(with.fault(), Fault::ownership);
}

TEST(QueueOracle, AsksThatBuffersOfSeveralQueuesAreConcurrent) {
    HandPlan plan = fork_plan();
    plan.plan.sharing[plan.id("a").index] = Sharing::exclusive;
    EXPECT_EQ(plan.fault(), Fault::ownership) << plan.text();
}

TEST(QueueOracle, AsksForATransferBackToTheHost) {
    Graph graph;
    const Image image = graph.custom("paint").write(graph.image("image", kQueueImage),
                                                    Access::storage_write, stage::kCompute);
    graph.output("image", image);
    const auto plan_of = [&](bool back) {
        HandPlan plan{Graph(graph)};
        allow_queues(plan);
        const ImageBarrier transfer = plan.transfer("image", Queue::compute, Queue::graphics);
        const auto half = back ? std::vector{transfer} : std::vector<ImageBarrier>{};
        plan.submit(Queue::compute);
        plan.level(
            {"paint"},
            {.memory = {}, .before = {plan.first_use("image", Queue::compute)}, .after = half});
        plan.submit(Queue::graphics, {0});
        plan.end(half);
        return plan;
    };
    EXPECT_EQ(plan_of(true).text(), "");
    EXPECT_EQ(plan_of(false).fault(), Fault::ownership) << plan_of(false).text();
}

// --- memory --------------------------------------------------------------------------------------

/// 'a' is dead once 'work' has read it, so 'c' may have its memory, but only after that.
TEST(QueueOracle, SeesTwoQueuesRaceOnSharedMemory) {
    HandPlan race = fork_plan();
    race.plan.sharing[race.id("c").index] = Sharing::concurrent;
    race.place("c", "a");
    EXPECT_EQ(race.fault(), Fault::unordered) << race.text();
    EXPECT_THAT(race.text(), testing::HasSubstr("'work'"));

    Graph graph;
    const Buffer a = step(graph, "produce", {}, graph.buffer("a", kQueueBuffer));
    const Buffer b = step(graph, "work", {a}, graph.buffer("b", kQueueBuffer));
    const Buffer c = step(graph, "beside", {}, graph.buffer("c", kQueueBuffer));
    graph.output("d", step(graph, "join", {b, c}, graph.buffer("d", kQueueBuffer)));
    const auto plan_of = [&](const std::vector<std::uint32_t>& beside_waits) {
        HandPlan plan = dealt(Graph(graph), {"a", "b"},
                              {{Queue::graphics, "produce"},
                               {Queue::compute, "work", {0}},
                               {Queue::graphics, "beside", beside_waits},
                               {Queue::graphics, "join", {1}}});
        plan.place("c", "a");
        return plan;
    };
    EXPECT_EQ(plan_of({1}).text(), "");
    EXPECT_EQ(plan_of({}).fault(), Fault::unordered);
}

// --- what queues can do --------------------------------------------------------------------------

TEST(QueueOracle, KnowsWhatAQueueCanDo) {
    HandPlan on_transfer = fork_plan();
    on_transfer.plan.submissions[1].queue = Queue::transfer;
    on_transfer.plan.levels[1].queue = Queue::transfer;
    EXPECT_EQ(on_transfer.fault(), Fault::wrong_queue);

    HandPlan foreign_stage = fork_plan();
    foreign_stage.plan.levels[1].memory = {stage::kFragmentShader, kFull.source_memory,
                                           stage::kAllCommands, kFull.destination_memory};
    EXPECT_EQ(foreign_stage.fault(), Fault::wrong_queue);
}

TEST(QueueOracle, SeesNodesOnQueuesThatNobodyAskedFor) {
    HandPlan unasked = fork_plan();
    unasked.plan.options.queues = QueueMode::hinted;
    EXPECT_EQ(unasked.fault(), Fault::wrong_queue);
    HandPlan asked = unasked;
    asked.graph.nodes[1].queue = asked.plan.graph.nodes[1].queue = QueueHint::compute;
    EXPECT_EQ(asked.text(), "");
    HandPlan one = asked;
    one.plan.options.queues = QueueMode::one;
    EXPECT_EQ(one.fault(), Fault::wrong_queue);
}

} // namespace
} // namespace tuff
