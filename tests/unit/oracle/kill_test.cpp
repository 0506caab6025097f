#include "tests/oracle/oracle.hpp"
#include "tests/oracle/random_graph.hpp"
#include "tests/oracle/weaken.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>
#include <utility>

/// Takes away, one at a time, whatever holds a plan together, and expects the oracle to notice.
/// What it does not miss the compiler could have left out.
///
/// TUFF_KILL_GRAPHS=1000 tries more, TUFF_KILL_LIST=1 lists what nobody missed.
namespace tuff {
namespace {

struct Count {
    std::size_t tried = 0;
    std::size_t caught = 0;
    double share() const { return static_cast<double>(caught) / static_cast<double>(tried); }
};
constexpr std::array kNames = {"image barrier left out",
                               "memory barrier left out",
                               "source stage left out",
                               "source access left out",
                               "destination stage left out",
                               "destination access left out",
                               "wrong layout",
                               "memory moved"};

std::map<oracle::Weakening, Count> kill(std::uint64_t first_seed, std::uint64_t graphs) {
    const bool list = std::getenv("TUFF_KILL_LIST") != nullptr;
    std::map<oracle::Weakening, Count> counts;
    for (std::uint64_t seed = first_seed; seed < first_seed + graphs; ++seed) {
        const GraphDesc graph = oracle::build_graph(oracle::random_program(seed, 48));
        const Result<Plan> plan = compile(graph, DeviceCaps{});
        EXPECT_TRUE(plan.has_value());
        for (const oracle::WeakPlan& weak : oracle::weaken(*plan)) {
            Count& count = counts[weak.kind];
            ++count.tried;
            if (!oracle::check(graph, weak.plan, {.most = 1}).empty())
                ++count.caught;
            else if (list)
                fmt::print("seed {}: not missed: {}: {}\n", seed,
                           kNames[static_cast<std::size_t>(weak.kind)], weak.text);
        }
    }
    return counts;
}

/// What is not missed: stages, accesses and now and then a whole memory barrier that an earlier
/// one, being global, has covered already through other nodes, for the compiler looks at one
/// resource at a time; and results that share memory though both live, but nobody reads them.
double least_share(oracle::Weakening kind) {
    switch (kind) {
    case oracle::Weakening::no_image_barrier:
    case oracle::Weakening::wrong_layout: return 1.0;
    case oracle::Weakening::moved_memory: return 0.995;
    case oracle::Weakening::no_memory_barrier: return 0.93;
    case oracle::Weakening::source_stage: return 0.75;
    case oracle::Weakening::source_memory:
    case oracle::Weakening::destination_stage:
    case oracle::Weakening::destination_memory: return 0.9;
    }
    std::unreachable();
}

TEST(KillTest, WhateverIsTakenFromAPlanIsMissed) {
    const char* more = std::getenv("TUFF_KILL_GRAPHS");
    const auto counts = kill(1, more ? std::strtoull(more, nullptr, 10) : 100);
    EXPECT_EQ(counts.size(), kNames.size()) << "some way of weakening plans was never tried";
    for (const auto& [kind, count] : counts) {
        const char* name = kNames[static_cast<std::size_t>(kind)];
        fmt::print("{:28} {:6} of {:6} caught, {:.2f} %\n", name, count.caught, count.tried,
                   100 * count.share());
        EXPECT_GE(count.share(), least_share(kind)) << name;
    }
}

} // namespace
} // namespace tuff
