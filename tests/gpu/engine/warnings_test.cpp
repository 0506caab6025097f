// What passes have to say of an execution, read from their status on the device.

#include "tests/common/word_kernels.hpp"
#include "tests/gpu/gpu_fixture.hpp"

namespace tuff {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr BufferDesc kWarnedWords{.size = 16, .stride = 4};

/// Is content with words that are all even.
struct Evenness {
    std::uint32_t odd = 0;

    static Evenness read(std::span<const std::uint32_t> words) {
        Evenness found;
        for (const std::uint32_t word : words)
            found.odd += word % 2;
        return found;
    }
    Diagnostics warnings() const {
        if (odd == 0) return {};
        return {{.code = "test/odd",
                 .severity = Severity::warning,
                 .message = std::to_string(odd) + " are odd"}};
    }
};

class Warnings : public testing_gpu::GpuTest {
  protected:
    Buffer watched(Graph& g, std::string_view scope, Buffer words) {
        g.push_scope(scope);
        g.status<Evenness>(words);
        g.pop_scope();
        g.output(std::string(scope), g.copy(words, g.buffer("copy", kWarnedWords)));
        return words;
    }
};

TEST_F(Warnings, AreThoseOfTheLastExecutionUnderTheNamesOfTheirPasses) {
    Graph g = graph();
    watched(g, "mixed", test::iota(g, "mixed_words", kWarnedWords, 7));
    watched(g, "even", test::doubled(g, test::iota(g, "even_words", kWarnedWords, 0)));
    testing_gpu::Running running = run(std::move(g));
    const auto found = running->warnings();
    ASSERT_TRUE(found) << to_string(found.error());
    ASSERT_THAT(*found, SizeIs(1));
    EXPECT_EQ(found->front().message, "mixed: 2 are odd");
    EXPECT_EQ(found->front().severity, Severity::warning);
    // Named outputs are found though statuses bear the names of passes.
    EXPECT_THAT(running.buffer<std::uint32_t>("mixed"), testing::ElementsAre(7, 8, 9, 10));
}

TEST_F(Warnings, AreNoneWithoutStatusesAndAnErrorBeforeTheFirstExecution) {
    Graph none = graph();
    none.output("words", test::iota(none, "words", kWarnedWords, 0));
    testing_gpu::Running running = run(std::move(none));
    const auto found = running->warnings();
    ASSERT_TRUE(found);
    EXPECT_THAT(*found, IsEmpty());

    Graph g = graph();
    watched(g, "words", test::iota(g, "iota", kWarnedWords, 1));
    testing_gpu::Running waiting = start(std::move(g));
    const auto early = waiting->warnings();
    ASSERT_FALSE(early);
    EXPECT_EQ(early.error().front().code, "gpu/not-executed");
}

} // namespace
} // namespace tuff
