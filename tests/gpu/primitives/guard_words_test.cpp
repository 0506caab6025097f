#include "passes/primitives/bitonic_sort.hpp"
#include "passes/primitives/gather.hpp"
#include "passes/primitives/map.hpp"
#include "passes/primitives/radix_sort.hpp"
#include "passes/primitives/saxpy.hpp"
#include "passes/primitives/scan.hpp"
#include "passes/primitives/segmented_sort.hpp"
#include "primitive_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

/// Results have room for all elements of their sources; where the device says that there are fewer,
/// what lies behind the last one is not touched. All memory holds ones before the execution.
namespace tuff {
namespace {

using passes::Element;
using passes::RadixMethod;
using passes::ScanMethod;
using testing_gpu::difference;
using testing_gpu::make_values;
using testing_gpu::Pattern;
using testing_gpu::Running;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kUntouched = ~0u; // CompileOptions::poison
constexpr std::uint32_t kRoomBehind = 5000;

class GuardWords : public testing_gpu::PrimitiveTest {
  protected:
    /// An array of which the first elements count.
    struct Source {
        Words values;
        Buffer buffer;
    };
    Source source(Graph& g, std::string_view name, std::uint32_t count, std::uint32_t modulus) {
        Words values = make_values<std::uint32_t>(count, Pattern::random);
        for (std::uint32_t& value : values)
            value %= modulus;
        const Buffer buffer = array(g, name, values, count + kRoomBehind);
        return {std::move(values), buffer};
    }

    /// What kernels write at a time: some write four elements, of which those beyond the length
    /// have no meaning.
    enum class Written : std::uint8_t { words, quads };

    void expect(Graph& g, std::string name, Buffer result, Words wanted,
                Written written = Written::words) {
        g.output(name, result);
        wanted_.push_back({std::move(name), std::move(wanted), written});
    }
    /// `words`: of an element.
    void run_guarded(Graph g, std::size_t words = 1) {
        Running running = start(compile_graph(std::move(g), {.poison = true}));
        if (running) running.execute();
        for (auto& [name, wanted, written] : std::exchange(wanted_, {})) {
            if (!running) break;
            const std::size_t length = wanted.size();
            Words got = running.buffer<std::uint32_t>(name);
            ASSERT_EQ(got.size(), length + words * kRoomBehind) << name;
            wanted.resize(got.size(), kUntouched);
            const std::size_t end = written == Written::quads ? (length + 3) / 4 * 4 : length;
            std::fill(got.begin() + static_cast<std::ptrdiff_t>(length),
                      got.begin() + static_cast<std::ptrdiff_t>(end), kUntouched);
            EXPECT_EQ(difference(got, wanted), "") << name;
        }
    }

  private:
    struct Wanted {
        std::string name;
        Words words;
        Written written;
    };
    std::vector<Wanted> wanted_;
};

/// Around a subgroup, a group and a tile.
const std::vector<std::uint32_t> kGuardedLengths = {0,   1,    3,    31,   33,   255,  256,
                                                    257, 1023, 2049, 4095, 4096, 4097, 12289};

TEST_F(GuardWords, BehindScansStay) {
    for (const ScanMethod method : {ScanMethod::look_back, ScanMethod::three_pass}) {
        Graph g = graph();
        for (const std::uint32_t n : kGuardedLengths) {
            const Source from = source(g, fmt::format("source{}", n), n, 1000);
            Words sums(n);
            std::exclusive_scan(from.values.begin(), from.values.end(), sums.begin(), 0u);
            expect(
                g, fmt::format("scan{}", n),
                g.add(passes::Scan{.source = from.buffer, .count = count(g, n), .method = method})
                    .result,
                sums, Written::quads);
        }
        run_guarded(std::move(g));
    }
}

TEST_F(GuardWords, BehindMapsAndSaxpyStay) {
    Graph g = graph();
    for (const std::uint32_t n : kGuardedLengths) {
        const Source from = source(g, fmt::format("source{}", n), n, 1000);
        const Buffer elements = count(g, n);
        Words mapped;
        Words sums;
        for (const std::uint32_t value : from.values) {
            mapped.push_back(3 * value + 1);
            sums.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(value) * 3.0f));
        }
        expect(g, fmt::format("map{}", n),
               g.add(passes::Map{
                         .source = from.buffer, .count = elements, .expression = "x * 3u + 1u"})
                   .result,
               mapped, Written::quads);
        expect(g, fmt::format("copy{}", n),
               g.add(passes::Map{.source = from.buffer, .count = elements}).result, from.values,
               Written::quads);
        Buffer floats =
            g.add(passes::Map{
                      .source = from.buffer, .expression = "float(x)", .result_type = Element::f32})
                .result;
        for (const auto form : {passes::SaxpyForm::fused, passes::SaxpyForm::passes})
            expect(g, fmt::format("saxpy{}_{}", n, static_cast<int>(form)),
                   g.add(passes::Saxpy{.x = floats,
                                       .y = floats,
                                       .count = elements,
                                       .alpha = 1.0f,
                                       .steps = 2,
                                       .form = form})
                       .result,
                   sums, Written::quads);
    }
    run_guarded(std::move(g));
}

TEST_F(GuardWords, BehindSortsStay) {
    // Downwards: upwards the keys that fill a tile would be written as the words that are there.
    constexpr auto kDown = passes::SortOrder::descending;
    for (const RadixMethod method : {RadixMethod::counted, RadixMethod::onesweep}) {
        Graph g = graph();
        for (const std::uint32_t n : kGuardedLengths) {
            const Source keys = source(g, fmt::format("keys{}", n), n, 700);
            Words order(n);
            std::iota(order.begin(), order.end(), 0u);
            std::ranges::stable_sort(order, std::greater<>(),
                                     [&](std::uint32_t i) { return keys.values[i]; });
            Words sorted;
            for (const std::uint32_t i : order)
                sorted.push_back(keys.values[i]);
            passes::RadixSort radix{
                .keys = keys.buffer, .count = count(g, n), .order = kDown, .method = method};
            radix.with_permutation = true;
            radix = g.add(radix);
            expect(g, fmt::format("radix{}", n), radix.sorted_keys, sorted);
            expect(g, fmt::format("radix_order{}", n), radix.permutation, order);
            if (method == RadixMethod::onesweep) continue;
            const auto bitonic = g.add(
                passes::BitonicSort{.keys = keys.buffer, .count = count(g, n), .order = kDown});
            expect(g, fmt::format("bitonic{}", n), bitonic.sorted_keys, sorted);
            expect(g, fmt::format("bitonic_order{}", n), bitonic.permutation, order);
        }
        run_guarded(std::move(g));
    }
}

TEST_F(GuardWords, BehindSortsOfSegmentsStay) {
    Graph g = graph();
    for (const std::uint32_t n : {1u, 255u, 257u, 4097u}) {
        const Source keys = source(g, fmt::format("keys{}", n), n, 700);
        const Words ends{0, n / 3, n / 3, n};
        Words sorted = keys.values;
        const auto at = [&](std::uint32_t i) { return sorted.begin() + i; };
        std::sort(at(0), at(n / 3));
        std::sort(at(n / 3), at(n));
        expect(g, fmt::format("segments{}", n),
               g.add(passes::SegmentedSort{.keys = keys.buffer,
                                           .offsets = array(g, fmt::format("ends{}", n), ends),
                                           .count = count(g, n)})
                   .sorted_keys,
               sorted);
    }
    run_guarded(std::move(g));
}

TEST_F(GuardWords, BehindWhatIsGatheredStay) {
    for (const std::uint32_t words : {1u, 3u}) {
        Graph g = graph();
        const Source table = source(g, "table", 3000, ~0u);
        for (const std::uint32_t n : kGuardedLengths) {
            const Source indices = source(g, fmt::format("indices{}", n), n, 1000);
            Words gathered;
            for (const std::uint32_t index : indices.values)
                for (std::uint32_t w = 0; w < words; ++w)
                    gathered.push_back(table.values[words * index + w]);
            expect(g, fmt::format("gather{}", n),
                   g.add(passes::Gather{.source = table.buffer,
                                        .indices = indices.buffer,
                                        .count = count(g, n),
                                        .words = static_cast<int>(words)})
                       .result,
                   gathered);
        }
        run_guarded(std::move(g), words);
    }
}

} // namespace
} // namespace tuff
