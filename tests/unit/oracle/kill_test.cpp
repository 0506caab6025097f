#include "tests/common/environment.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/oracle/random_graph.hpp"
#include "tests/oracle/weaken.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// Takes away, one at a time, whatever holds a plan together, and expects the oracle to notice.
/// What it does not miss the compiler could have left out.
///
/// TUFF_KILL_GRAPHS=1000 tries more. What nobody missed is counted by sort, with a seed of each;
/// TUFF_KILL_LIST=1 lists all of it, by name.
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
                               "memory moved",
                               "semaphore wait left out",
                               "release left out",
                               "acquisition left out",
                               "barrier of the host left out"};
const char* name_of(oracle::Weakening kind) {
    return kNames[static_cast<std::size_t>(kind)];
}

/// A sort of weakening that was not missed.
struct Survivor {
    std::size_t count = 0;
    std::uint64_t seed = 0; ///< one of those that have it
};

class Killer {
  public:
    void run(std::uint64_t seed, const DeviceCaps& caps, const CompileOptions& options,
             oracle::Rays rays = oracle::Rays::off,
             oracle::HostNodes host_nodes = oracle::HostNodes::off) {
        const GraphDesc graph =
            oracle::build_graph(oracle::random_program(seed, 48), rays, host_nodes);
        const Result<Plan> plan = compile(graph, caps, options);
        ASSERT_TRUE(plan.has_value());
        for (const oracle::WeakPlan& weak : oracle::weaken(*plan)) {
            Count& count = counts_[weak.kind];
            ++count.tried;
            if (!oracle::check(graph, weak.plan, {.most = 1}).empty()) {
                ++count.caught;
                continue;
            }
            Survivor& survivor = survivors_[fmt::format("{}: {}", name_of(weak.kind), weak.sort)];
            ++survivor.count;
            survivor.seed = seed;
            if (list_)
                fmt::print("seed {}: not missed: {}: {}\n", seed, name_of(weak.kind), weak.text);
        }
    }

    const std::map<oracle::Weakening, Count>& counts() const { return counts_; }

    void print() const {
        for (const auto& [kind, count] : counts_)
            fmt::print("{:28} {:6} of {:6} caught, {:.2f} %\n", name_of(kind), count.caught,
                       count.tried, 100 * count.share());
        std::vector<std::pair<std::string, Survivor>> most(survivors_.begin(), survivors_.end());
        std::ranges::sort(most, std::greater{}, [](const auto& s) { return s.second.count; });
        if (!list_) most.resize(std::min<std::size_t>(most.size(), 12));
        for (const auto& [sort, survivor] : most)
            fmt::print("not missed: {:5} times, as in seed {}: {}\n", survivor.count, survivor.seed,
                       sort);
    }

  private:
    const bool list_ = std::getenv("TUFF_KILL_LIST") != nullptr;
    std::map<oracle::Weakening, Count> counts_;
    std::map<std::string, Survivor> survivors_;
};

/// tests/oracle/README.md says what is not missed, and why.
enum class Plans : std::uint8_t { one_queue, general_layouts, rays, several_queues, host_nodes };

/// A barrier from the host is a full one, so more of the barriers after it can go. There is one
/// wherever the host and the device wait for each other, even if nothing was written, and one at
/// the end for the host of the next execution. Semaphores order much that the levels leave open, so
/// more places in memory can be shared.
double least_share_with_host(oracle::Weakening kind) {
    switch (kind) {
    case oracle::Weakening::moved_memory: return 0.98;
    case oracle::Weakening::no_memory_barrier: return 0.87;
    case oracle::Weakening::destination_stage: return 0.85;
    case oracle::Weakening::destination_memory: return 0.83;
    case oracle::Weakening::source_memory: return 0.83;
    case oracle::Weakening::source_stage: return 0.75;
    case oracle::Weakening::no_host_barrier: return 0.6;
    default: return 1.0;
    }
}

double least_share(oracle::Weakening kind, Plans plans) {
    const bool one = plans != Plans::several_queues;
    // There are fewer barriers between uses, of which all is needed, beside those of first uses.
    // Rays bring more kinds of access, of which one alone may do.
    const double fewer = plans == Plans::general_layouts ? 0.02 : plans == Plans::rays ? 0.01 : 0.0;
    if (plans == Plans::host_nodes) return least_share_with_host(kind);
    switch (kind) {
    case oracle::Weakening::no_image_barrier:
    case oracle::Weakening::wrong_layout:
    case oracle::Weakening::no_wait:
    case oracle::Weakening::no_release:
    case oracle::Weakening::no_acquisition: return 1.0;
    case oracle::Weakening::moved_memory: return 0.998;
    case oracle::Weakening::no_host_barrier: return 1.0; // there is none
    case oracle::Weakening::no_memory_barrier: return one ? 0.98 : 0.95;
    case oracle::Weakening::destination_stage: return (one ? 0.94 : 0.91) - fewer;
    case oracle::Weakening::destination_memory: return (one ? 0.92 : 0.90) - fewer;
    case oracle::Weakening::source_memory: return (one ? 0.92 : 0.89) - fewer;
    case oracle::Weakening::source_stage: return 0.83 - fewer;
    }
    std::unreachable();
}

std::uint64_t graphs() {
    return test::number_from("TUFF_KILL_GRAPHS", 100);
}

void expect_shares(const Killer& killer, Plans plans) {
    killer.print();
    for (const auto& [kind, count] : killer.counts())
        EXPECT_GE(count.share(), least_share(kind, plans)) << name_of(kind);
}

TEST(KillTest, WhateverIsTakenFromAPlanIsMissed) {
    Killer killer;
    for (std::uint64_t seed = 1; seed <= graphs(); ++seed)
        killer.run(seed, DeviceCaps{}, {});
    for (const auto kind : {oracle::Weakening::no_image_barrier, oracle::Weakening::source_stage,
                            oracle::Weakening::wrong_layout, oracle::Weakening::moved_memory})
        EXPECT_TRUE(killer.counts().contains(kind)) << name_of(kind) << " was never tried";
    expect_shares(killer, Plans::one_queue);
}

/// Likewise where images stay in the general layout.
TEST(KillTest, WhateverIsTakenFromAPlanOfGeneralLayoutsIsMissed) {
    DeviceCaps caps;
    caps.unified_layouts = true;
    Killer killer;
    for (std::uint64_t seed = 1; seed <= graphs() / 2; ++seed)
        killer.run(seed, caps, {});
    expect_shares(killer, Plans::general_layouts);
}

/// Likewise where nodes build acceleration structures and trace rays.
TEST(KillTest, WhateverIsTakenFromAPlanThatTracesRaysIsMissed) {
    Killer killer;
    for (std::uint64_t seed = 1; seed <= graphs(); ++seed)
        killer.run(seed, DeviceCaps{}, {}, oracle::Rays::on);
    expect_shares(killer, Plans::rays);
}

/// Likewise where the device has several queues.
TEST(KillTest, WhateverIsTakenFromAPlanOfSeveralQueuesIsMissed) {
    DeviceCaps caps;
    caps.async_compute = caps.transfer_queue = true;
    Killer killer;
    for (std::uint64_t seed = 1; seed <= graphs() / 2; ++seed)
        killer.run(seed, caps, {.queues = QueueMode::automatic});
    expect_shares(killer, Plans::several_queues);
}

/// The same where some nodes run on the host.
TEST(KillTest, WhateverIsTakenFromAPlanWithHostNodesIsMissed) {
    DeviceCaps caps;
    caps.async_compute = caps.transfer_queue = true;
    Killer killer;
    for (std::uint64_t seed = 1; seed <= graphs(); ++seed)
        killer.run(seed, seed % 2 == 0 ? caps : DeviceCaps{}, {.queues = QueueMode::automatic},
                   oracle::Rays::off, oracle::HostNodes::on);
    EXPECT_TRUE(killer.counts().contains(oracle::Weakening::no_host_barrier));
    expect_shares(killer, Plans::host_nodes);
}

} // namespace
} // namespace tuff
