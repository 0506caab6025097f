#include "passes/primitives/scan.hpp"
#include "primitive_test.hpp"
#include "reference.hpp"

#include <fmt/format.h>

namespace tuff {
namespace {

using passes::Combine;
using passes::Scan;
using passes::ScanKind;
using passes::ScanMethod;
using testing_gpu::difference;
using testing_gpu::first;
using testing_gpu::Known;
using testing_gpu::make_values;
using testing_gpu::Pattern;
using testing_gpu::Running;

constexpr ScanMethod kMethods[] = {ScanMethod::look_back, ScanMethod::three_pass};
constexpr Combine kCombines[] = {Combine::sum, Combine::min, Combine::max};

class ScanTest : public testing_gpu::PrimitiveTest {
  protected:
    template <typename T>
    struct Scanned {
        std::vector<T> result;
        T total;
    };

    /// Scans `values`, which lie before 37 elements of rubbish.
    template <typename T>
    void scan_later(const std::vector<T>& values, Scan scan, Known known,
                    std::function<void(const Scanned<T>&)> check) {
        Graph& g = batch();
        scan.source = array(g, "source", values, values.size() + 37);
        scan.type = testing_gpu::element_of<T>();
        if (known == Known::cpu)
            scan.length = static_cast<std::int64_t>(values.size());
        else
            scan.count = count(g, static_cast<std::uint32_t>(values.size()));
        const Scan done = g.add(scan);
        g.output(tag() + "result", done.result);
        g.output(tag() + "total", done.total);
        later([tag = tag(), size = values.size(), check](Running& running) {
            const std::vector<T> total = running.buffer<T>(tag + "total");
            ASSERT_EQ(total.size(), 1u);
            check({first(running.buffer<T>(tag + "result"), size), total.front()});
        });
    }

    template <typename T>
    void expect_exact(std::size_t count, Pattern pattern, const Scan& scan, Known known) {
        const auto values = make_values<T>(count, pattern);
        scan_later<T>(values, scan, known, [=](const Scanned<T>& got) {
            SCOPED_TRACE(fmt::format(
                "{} elements, pattern {}, operation {}, {}, method {}, {}", count,
                static_cast<int>(pattern), static_cast<int>(scan.operation),
                scan.kind == ScanKind::inclusive ? "inclusive" : "exclusive",
                static_cast<int>(scan.method), known == Known::cpu ? "length" : "count"));
            const auto expected =
                testing_gpu::scan_of(values, scan.operation, scan.kind == ScanKind::inclusive);
            EXPECT_EQ(difference(got.result, expected), "");
            EXPECT_EQ(
                std::bit_cast<std::uint32_t>(got.total),
                std::bit_cast<std::uint32_t>(testing_gpu::reduction_of(values, scan.operation)));
        });
    }
};

TEST_F(ScanTest, RunningSumsAreExactAtEveryLength) {
    for (const std::uint32_t n : testing_gpu::lengths())
        for (const ScanMethod method : kMethods) {
            const ScanKind kind = n % 2 == 0 ? ScanKind::exclusive : ScanKind::inclusive;
            expect_exact<std::uint32_t>(n, Pattern::random, {.kind = kind, .method = method},
                                        Known::cpu);
        }
    run_batch();
}

TEST_F(ScanTest, EveryTypeOperationAndKindIsExact) {
    for (const ScanMethod method : kMethods)
        for (const Combine operation : kCombines)
            for (const ScanKind kind : {ScanKind::exclusive, ScanKind::inclusive}) {
                const Scan scan{.operation = operation, .kind = kind, .method = method};
                expect_exact<std::uint32_t>(9001, Pattern::random, scan, Known::cpu);
                expect_exact<std::int32_t>(9001, Pattern::random, scan, Known::cpu);
                if (operation != Combine::sum)
                    expect_exact<float>(9001, Pattern::random, scan, Known::cpu);
            }
    run_batch();
}

TEST_F(ScanTest, AdversarialContentsAreExact) {
    for (const Pattern pattern : testing_gpu::kPatterns)
        for (const ScanMethod method : kMethods) {
            expect_exact<std::int32_t>(5003, pattern, {.method = method}, Known::cpu);
            for (const Combine operation : {Combine::min, Combine::max})
                expect_exact<float>(5003, pattern, {.operation = operation, .method = method},
                                    Known::cpu);
        }
    run_batch();
}

TEST_F(ScanTest, TheDeviceMayKnowTheLength) {
    for (const std::uint32_t n : testing_gpu::few_lengths())
        for (const ScanMethod method : kMethods)
            expect_exact<std::uint32_t>(n, Pattern::random, {.method = method}, Known::device);
    run_batch();
}

TEST_F(ScanTest, LongArraysAreExact) {
    for (const ScanMethod method : kMethods)
        expect_exact<std::uint32_t>(1'000'003, Pattern::random, {.method = method}, Known::cpu);
    run_batch();
}

TEST_F(ScanTest, SumsOfFloatsAreWithinTheStatedBound) {
    for (const std::uint32_t n : {1u, 257u, 4097u, 100'003u})
        for (const Pattern pattern : {Pattern::random, Pattern::equal, Pattern::sorted})
            for (const ScanMethod method : kMethods) {
                const auto values = make_values<float>(n, pattern);
                const Scan scan{.kind = ScanKind::inclusive, .method = method};
                scan_later<float>(values, scan, Known::cpu, [=](const Scanned<float>& got) {
                    ASSERT_EQ(got.result.size(), n);
                    double exact = 0.0;
                    double magnitude = 0.0;
                    const double roundings = 100.0 + n / 4096.0;
                    for (std::size_t i = 0; i < n; ++i) {
                        exact += static_cast<double>(values[i]);
                        magnitude += std::abs(static_cast<double>(values[i]));
                        ASSERT_NEAR(got.result[i], exact, roundings * 0x1p-24 * magnitude) << i;
                    }
                });
            }
    run_batch();
}

TEST_F(ScanTest, SumsOfFloatsAreTheSameBitsEachTime) {
    const auto values = make_values<float>(50'021, Pattern::random);
    std::vector<std::vector<float>> results;
    for (const Known known : testing_gpu::kKnown)
        scan_later<float>(values, {}, known,
                          [&](const Scanned<float>& got) { results.push_back(got.result); });
    run_batch();
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(difference(results[0], results[1]), "");
}

TEST_F(ScanTest, ALengthBeyondTheBufferIsReported) {
    Graph g = graph();
    static_cast<void>(
        g.add(Scan{.source = array<std::uint32_t>(g, "source", {1, 2, 3}), .length = 4}));
    ASSERT_EQ(g.peek().diagnostics.size(), 1u);
    EXPECT_EQ(g.peek().diagnostics[0].code, "primitives/too-long");
}

} // namespace
} // namespace tuff
