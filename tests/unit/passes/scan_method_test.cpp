// Which targets let a scan look back.

#include "passes/primitives/method.hpp"

#include <gtest/gtest.h>

namespace tuff::passes {
namespace {

struct Abilities {
    bool forward_progress = false;
    bool unbounded_loops = false;
    DeviceType type = DeviceType::discrete;
};

ScanMethod chosen(ScanMethod asked, Abilities abilities, bool repeatable = false) {
    DeviceCaps caps;
    caps.forward_progress = abilities.forward_progress;
    caps.unbounded_loops = abilities.unbounded_loops;
    caps.type = abilities.type;
    Graph graph;
    graph.set_target(caps);
    return choose(asked, graph, repeatable);
}

constexpr Abilities kGpu{.forward_progress = true, .unbounded_loops = true};
constexpr Abilities kUnfair{.forward_progress = false, .unbounded_loops = true};
constexpr Abilities kThreads{
    .forward_progress = false, .unbounded_loops = true, .type = DeviceType::cpu};

TEST(ScanMethods, LookBackWhereGroupsGoOn) {
    EXPECT_EQ(chosen(ScanMethod::automatic, kGpu), ScanMethod::look_back);
    EXPECT_EQ(chosen(ScanMethod::automatic, kUnfair), ScanMethod::three_pass);
}

TEST(ScanMethods, TakeThreePassesForResultsThatRepeat) {
    EXPECT_EQ(chosen(ScanMethod::automatic, kGpu, true), ScanMethod::three_pass);
}

TEST(ScanMethods, AreTheCallersWhereLoopsMayWait) {
    for (const Abilities& target : {kGpu, kThreads})
        for (const ScanMethod method : {ScanMethod::look_back, ScanMethod::three_pass})
            EXPECT_EQ(chosen(method, target, true), method);
}

TEST(ScanMethods, NeverLookBackWhereAWaitingGroupMayKeepOthersFromRunning) {
    for (const ScanMethod method :
         {ScanMethod::automatic, ScanMethod::look_back, ScanMethod::three_pass})
        EXPECT_EQ(chosen(method, kUnfair), ScanMethod::three_pass);
}

TEST(ScanMethods, NeverLookBackWhereLoopsAreEndedEarly) {
    for (const bool forward_progress : {false, true})
        for (const ScanMethod method :
             {ScanMethod::automatic, ScanMethod::look_back, ScanMethod::three_pass})
            EXPECT_EQ(chosen(method, {.forward_progress = forward_progress}),
                      ScanMethod::three_pass);
}

TEST(ScanMethods, NeverLookBackInGraphsForEveryDevice) {
    const Graph graph;
    EXPECT_EQ(choose(ScanMethod::look_back, graph), ScanMethod::three_pass);
    EXPECT_EQ(choose(ScanMethod::automatic, graph), ScanMethod::three_pass);
}

} // namespace
} // namespace tuff::passes
