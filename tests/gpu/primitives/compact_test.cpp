#include "passes/primitives/compact.hpp"
#include "primitive_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace tuff {
namespace {

using passes::Append;
using passes::Compact;
using passes::Emits;
using passes::Partition;
using passes::ScanMethod;
using passes::Unique;
using testing::ElementsAre;
using testing_gpu::difference;
using testing_gpu::first;
using testing_gpu::Known;
using testing_gpu::make_values;
using testing_gpu::Pattern;
using testing_gpu::Running;
using Words = std::vector<std::uint32_t>;

constexpr ScanMethod kCompactMethods[] = {ScanMethod::look_back, ScanMethod::three_pass};

/// Which elements are flagged: none, all, every other, those of the last tile, one in so many.
enum class Density : std::uint8_t { none, all, alternating, at_the_end, rare, half };
constexpr Density kDensities[] = {Density::none,       Density::all,  Density::alternating,
                                  Density::at_the_end, Density::rare, Density::half};

Words make_flags(std::size_t count, Density density) {
    std::mt19937 random(5);
    Words flags(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t chance = static_cast<std::uint32_t>(random());
        switch (density) {
        case Density::none: break;
        case Density::all: flags[i] = 1; break;
        case Density::alternating: flags[i] = i % 2 == 0 ? 0x80000000u : 0; break;
        case Density::at_the_end: flags[i] = i + 100 > count ? 7 : 0; break;
        case Density::rare: flags[i] = chance % 1000 == 0 ? 1 : 0; break;
        case Density::half: flags[i] = chance & 0x10000u; break;
        }
    }
    return flags;
}

class CompactTest : public testing_gpu::PrimitiveTest {
  protected:
    struct Expected {
        Words kept;
        Words rejected;
    };

    static void check(Running& running, const std::string& tag, std::string_view port,
                      const Words& expected) {
        EXPECT_THAT(running.buffer<std::uint32_t>(tag + std::string(port) + "_count"),
                    ElementsAre(expected.size()));
        const Words got = running.buffer<std::uint32_t>(tag + std::string(port));
        EXPECT_EQ(difference(first(got, expected.size()), expected), "");
    }

    /// Of Compact by `method`, and of Partition.
    void expect_partition(std::uint32_t count, Density density, ScanMethod method, Emits emits,
                          Known known) {
        const Words values = make_values<std::uint32_t>(count, Pattern::random);
        const Words flags = make_flags(count, density);
        Graph& g = batch();
        const Buffer source = array(g, "source", values, count + 37);
        const Buffer kept = array(g, "flags", flags, count + 37);
        const Buffer number = known == Known::cpu ? Buffer() : this->count(g, count);
        const auto with_inputs = [&](auto pass) {
            pass.source = source;
            pass.flags = kept;
            pass.emits = emits;
            if (known == Known::cpu)
                pass.length = count;
            else
                pass.count = number;
            return g.add(pass);
        };
        const Compact compacted = with_inputs(Compact{.method = method});
        const Partition parted = with_inputs(Partition{});
        g.output(tag() + "compacted", compacted.result);
        g.output(tag() + "compacted_count", compacted.kept);
        g.output(tag() + "kept", parted.result);
        g.output(tag() + "kept_count", parted.kept);
        g.output(tag() + "rejected", parted.rejected);
        g.output(tag() + "rejected_count", parted.rejected_count);
        later([=, tag = tag()](Running& running) {
            SCOPED_TRACE(fmt::format("{} elements, density {}, method {}, {}", count,
                                     static_cast<int>(density), static_cast<int>(method),
                                     known == Known::cpu ? "length" : "count"));
            Expected expected;
            for (std::uint32_t i = 0; i < count; ++i)
                (flags[i] != 0 ? expected.kept : expected.rejected)
                    .push_back(emits == Emits::indices ? i : values[i]);
            check(running, tag, "compacted", expected.kept);
            check(running, tag, "kept", expected.kept);
            check(running, tag, "rejected", expected.rejected);
        });
    }

    /// What one random element in so many is, kept by each pass and method. Where `guarded`, all
    /// memory holds ones before, and what lies behind the end of each output has to stay so.
    void expect_density(std::uint32_t count, double density, bool guarded) {
        constexpr std::uint32_t kGuard = ~0u;
        const auto below = static_cast<std::uint32_t>(density * 0x1p32);
        const Words values = make_values<std::uint32_t>(count, Pattern::random);
        const std::string predicate = fmt::format("x < {}u", below);
        Expected expected;
        for (const std::uint32_t x : values)
            (x < below ? expected.kept : expected.rejected).push_back(x);

        Graph g = graph();
        const Buffer source = array(g, "source", values);
        const auto output = [&](std::string name, const auto& pass) {
            g.output(name, pass.result);
            g.output(name + "_count", pass.kept);
        };
        for (const ScanMethod method : kCompactMethods)
            output(
                fmt::format("compacted{}", static_cast<int>(method)),
                g.add(Compact{
                    .source = source, .predicate = predicate, .length = count, .method = method}));
        output("appended",
               g.add(Append{.source = source, .predicate = predicate, .length = count}));
        const Partition parted =
            g.add(Partition{.source = source, .predicate = predicate, .length = count});
        output("parted", parted);
        g.output("rejected", parted.rejected);
        g.output("rejected_count", parted.rejected_count);
        Running running = start(compile_graph(std::move(g), {.poison = guarded}));
        running.execute();

        const auto expect = [&](std::string name, Words wanted, bool ordered = true) {
            SCOPED_TRACE(fmt::format("{} of {} elements, density {}", name, count, density));
            EXPECT_THAT(running.buffer<std::uint32_t>(name + "_count"), ElementsAre(wanted.size()));
            Words got = running.buffer<std::uint32_t>(name);
            ASSERT_GE(got.size(), wanted.size());
            const auto end = got.begin() + static_cast<std::ptrdiff_t>(wanted.size());
            if (guarded) {
                EXPECT_EQ(std::count(end, got.end(), kGuard), got.end() - end) << "behind the end";
            }
            got.erase(end, got.end());
            if (!ordered) {
                std::ranges::sort(got);
                std::ranges::sort(wanted);
            }
            EXPECT_EQ(difference(got, wanted), "");
        };
        for (const ScanMethod method : kCompactMethods)
            expect(fmt::format("compacted{}", static_cast<int>(method)), expected.kept);
        expect("appended", expected.kept, false);
        expect("parted", expected.kept);
        expect("rejected", expected.rejected);
    }

    template <typename T>
    void expect_predicate(std::uint32_t count, std::string predicate,
                          std::function<bool(T, std::uint32_t)> keeps, ScanMethod method) {
        const std::vector<T> values = make_values<T>(count, Pattern::special);
        Graph& g = batch();
        Compact pass{.predicate = predicate, .p = {100.0f, 3.0f, 0.0f, 0.0f}};
        pass.source = array(g, "source", values);
        pass.length = count;
        pass.type = testing_gpu::element_of<T>();
        pass.method = method;
        const Compact done = g.add(pass);
        g.output(tag() + "kept", done.result);
        g.output(tag() + "kept_count", done.kept);
        later([=, tag = tag()](Running& running) {
            SCOPED_TRACE(predicate);
            Words expected;
            for (std::uint32_t i = 0; i < count; ++i)
                if (keeps(values[i], i))
                    expected.push_back(std::bit_cast<std::uint32_t>(values[i]));
            check(running, tag, "kept", expected);
        });
    }

    Diagnostics problems_of(std::string predicate) {
        Graph g = graph();
        Compact pass{.predicate = std::move(predicate), .type = passes::Element::f32};
        pass.source = array<float>(g, "source", {1, 2, 3});
        static_cast<void>(g.add(pass));
        return g.peek().diagnostics;
    }
};

TEST_F(CompactTest, KeepsAndRejectsInOrderAtEveryLength) {
    for (const std::uint32_t n : testing_gpu::lengths())
        for (const ScanMethod method : kCompactMethods)
            expect_partition(n, Density::half, method, Emits::elements, Known::cpu);
    run_batch();
}

TEST_F(CompactTest, KeepsAndRejectsAtEveryDensity) {
    for (const Density density : kDensities)
        for (const ScanMethod method : kCompactMethods)
            expect_partition(20'011, density, method, Emits::indices, Known::cpu);
    run_batch();
}

TEST_F(CompactTest, TheDeviceMayKnowTheLength) {
    for (const std::uint32_t n : testing_gpu::few_lengths())
        for (const ScanMethod method : kCompactMethods)
            expect_partition(n, Density::alternating, method, Emits::elements, Known::device);
    run_batch();
}

TEST_F(CompactTest, LongArraysAreExact) {
    for (const ScanMethod method : kCompactMethods)
        expect_partition(1'000'003, Density::half, method, Emits::elements, Known::cpu);
    run_batch();
}

// What goes wrong where groups meet each other at the wrong moment shows only now and then. Queues
// that are compacted again and again, as tracers do, on a GPU many times.
TEST_F(CompactTest, QueuesAreTheSameEachTime) {
    const bool software = device().caps().type == DeviceType::cpu;
    const std::uint32_t slots = software ? 20'480 : 921'600;
    const int executions = software ? 2 : 60;
    constexpr int kRounds = 3;
    std::mt19937 random(3);
    Graph g = graph();
    std::vector<Words> expected;
    Buffer queue;
    Buffer length;
    Words before(slots);
    std::iota(before.begin(), before.end(), 0u);
    for (int round = 0; round < kRounds; ++round) {
        Words alive(slots);
        Words kept;
        for (std::uint32_t i = 0; i < slots; ++i)
            alive[i] = random() % 8 != 0 ? 1 : 0;
        for (std::size_t i = 0; i < before.size(); ++i)
            if (alive[i] != 0) kept.push_back(before[i]);
        Compact pass{.method = ScanMethod::look_back};
        pass.flags = array(g, "alive", alive);
        pass.source = round == 0 ? pass.flags : queue;
        pass.emits = round == 0 ? Emits::indices : Emits::elements;
        if (round == 0)
            pass.length = slots;
        else
            pass.count = length;
        const Compact done = g.add(pass);
        queue = done.result;
        length = done.kept;
        g.output(fmt::format("queue{}", round), queue);
        g.output(fmt::format("queue{}_count", round), length);
        expected.push_back(kept);
        before = std::move(kept);
    }
    Running running = start(compile_graph(std::move(g)));
    ASSERT_TRUE(running);
    for (int i = 0; i < executions && !HasFailure(); ++i) {
        SCOPED_TRACE(fmt::format("execution {}", i));
        running.execute();
        for (int round = 0; round < kRounds; ++round)
            check(running, "", fmt::format("queue{}", round),
                  expected[static_cast<std::size_t>(round)]);
    }
}

TEST_F(CompactTest, AppendKeepsTheSameElementsInAnyOrder) {
    for (const std::uint32_t n : testing_gpu::lengths())
        for (const Known known : testing_gpu::kKnown) {
            const Words values = make_values<std::uint32_t>(n, Pattern::random);
            const Words flags = make_flags(n, n % 2 == 0 ? Density::half : Density::rare);
            Graph& g = batch();
            Append pass{.emits = n % 3 == 0 ? Emits::indices : Emits::elements};
            pass.source = array(g, "source", values, n + 37);
            pass.flags = array(g, "flags", flags, n + 37);
            if (known == Known::cpu)
                pass.length = n;
            else
                pass.count = count(g, n);
            const Append done = g.add(pass);
            g.output(tag() + "kept", done.result);
            g.output(tag() + "kept_count", done.kept);
            later([=, tag = tag()](Running& running) {
                SCOPED_TRACE(n);
                Words expected;
                for (std::uint32_t i = 0; i < n; ++i)
                    if (flags[i] != 0)
                        expected.push_back(pass.emits == Emits::indices ? i : values[i]);
                EXPECT_THAT(running.buffer<std::uint32_t>(tag + "kept_count"),
                            ElementsAre(expected.size()));
                Words got = first(running.buffer<std::uint32_t>(tag + "kept"), expected.size());
                std::ranges::sort(got);
                std::ranges::sort(expected);
                EXPECT_EQ(difference(got, expected), "");
            });
        }
    run_batch();
}

TEST_F(CompactTest, BehindTheEndNothingIsWritten) {
    for (const std::uint32_t n : {1u, 255u, 4097u, 20'011u})
        for (const double density : {0.0, 1e-4, 0.1, 0.5, 0.999})
            expect_density(n, density, true);
}

TEST_F(CompactTest, SixteenMillionElementsAreExact) {
    TUFF_ONLY_ON(lavapipe);
    for (const double density : {1e-4, 0.999})
        expect_density(1u << 24, density, true);
}

TEST_F(CompactTest, APredicateSeesTheElementItsIndexAndTheParameters) {
    for (const ScanMethod method : kCompactMethods) {
        expect_predicate<float>(
            5003, "x > p.x", [](float x, std::uint32_t) { return x > 100.0f; }, method);
        expect_predicate<std::int32_t>(
            5003, "x < 0 || i + 2u >= n",
            [](std::int32_t x, std::uint32_t i) { return x < 0 || i + 2 >= 5003; }, method);
        expect_predicate<std::uint32_t>(
            5003, "i % uint(p.y) == 0u", [](std::uint32_t, std::uint32_t i) { return i % 3 == 0; },
            method);
    }
    run_batch();
}

// Lanes of a subgroup that take different ways through a predicate have to count together after it,
// and many groups have to be at work for one to look back far.
TEST_F(CompactTest, APredicateMayTakeDifferentWays) {
    const std::uint32_t count = device().caps().type == DeviceType::cpu ? 60'013 : 4'000'037;
    for (const ScanMethod method : kCompactMethods) {
        expect_predicate<std::uint32_t>(
            count, "(x & 1u) != 0u ? x % 7u < 3u || x / 11u % 2u == 0u : bitCount(x) > 15",
            [](std::uint32_t x, std::uint32_t) {
                return x % 2 != 0 ? x % 7 < 3 || x / 11 % 2 == 0 : std::popcount(x) > 15;
            },
            method);
        // A root or a logarithm, far from where rounding decides.
        expect_predicate<std::uint32_t>(
            count,
            "x % 5u < 2u ? fract(sqrt(float(x >> 12)) * 0.0009765625) < 2.0 && i % 3u == 0u : "
            "(x % 3u == 0u ? log(float(x % 64u) + 1.5) > 2.0 : (i & 4u) != 0u && (x & 8u) == 0u)",
            [](std::uint32_t x, std::uint32_t i) {
                if (x % 5 < 2) return i % 3 == 0;
                if (x % 3 == 0) return std::log(x % 64 + 1.5) > 2.0;
                return (i & 4) != 0 && (x & 8) == 0;
            },
            method);
        expect_predicate<std::uint32_t>(
            count, "i % 1024u == 77u && x % 3u != 1u",
            [](std::uint32_t x, std::uint32_t i) { return i % 1024 == 77 && x % 3 != 1; }, method);
    }
    run_batch();
}

TEST_F(CompactTest, APredicateThatIsNoneIsReportedOnceWithItsPlace) {
    struct Case {
        std::string predicate;
        std::string place;
        std::string says;
    };
    for (const Case& c :
         {Case{"x > limit", "column 5", "undeclared identifier"},
          Case{"x > (1.0", "column 5", "'(' is not closed"},
          Case{"x) > 1.0", "column 2", "has no opening bracket"}, Case{"x > 0.0; x", "column 8", "';'"},
          Case{"x > 1.0 }", "column 9", "'}'"}, Case{"  ", "column 1", "there is nothing"},
          Case{"x + + ", "column 1", ""}, Case{"x // all", "column 3", "comments"}}) {
        const Diagnostics problems = problems_of(c.predicate);
        ASSERT_EQ(problems.size(), 1u) << c.predicate;
        EXPECT_EQ(problems[0].code, "primitives/bad-expression");
        EXPECT_THAT(problems[0].message, testing::HasSubstr("\"predicate\", " + c.place));
        EXPECT_THAT(problems[0].message, testing::HasSubstr(c.says));
        EXPECT_THAT(problems[0].hint, testing::HasSubstr("x (float, the element)"));
    }
}

TEST_F(CompactTest, WithoutPredicateAndFlagsThereIsAnError) {
    const Diagnostics problems = problems_of("");
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].code, "graph/unconnected");
}

TEST_F(CompactTest, FlagsThatAreTooFewAreReported) {
    Graph g = graph();
    Compact pass;
    pass.source = array<std::uint32_t>(g, "source", {1, 2, 3});
    pass.flags = array<std::uint32_t>(g, "flags", {1, 0});
    static_cast<void>(g.add(pass));
    ASSERT_EQ(g.peek().diagnostics.size(), 1u);
    EXPECT_EQ(g.peek().diagnostics[0].code, "primitives/too-short");
}

TEST_F(CompactTest, UniqueKeepsTheFirstOfEachRun) {
    for (const std::uint32_t n : testing_gpu::few_lengths())
        for (const ScanMethod method : kCompactMethods)
            for (const Pattern pattern : {Pattern::few, Pattern::equal, Pattern::random}) {
                Words values = make_values<std::uint32_t>(n, pattern);
                if (pattern == Pattern::few) std::ranges::sort(values);
                Graph& g = batch();
                const Unique done = g.add(
                    Unique{.source = array(g, "source", values), .length = n, .method = method});
                g.output(tag() + "kept", done.result);
                g.output(tag() + "kept_count", done.kept);
                later([values, tag = tag()](Running& running) {
                    Words expected = values;
                    const auto rest = std::ranges::unique(expected);
                    expected.erase(rest.begin(), rest.end());
                    check(running, tag, "kept", expected);
                });
            }
    run_batch();
}

} // namespace
} // namespace tuff
