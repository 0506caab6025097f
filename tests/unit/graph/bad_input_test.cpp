#include "sketch.hpp"

#include <array>
#include <chrono>
#include <span>

/// What nobody should ask for: one clear diagnostic, or an answer within a bound.
namespace tuff {
namespace {

using namespace test;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> mistakes(Graph graph) {
    return codes(compile(std::move(graph).finish(), DeviceCaps{}));
}

// --- sizes ---------------------------------------------------------------------------------------

TEST(BadInput, NothingHasASizeOfZero) {
    const auto of_image = [](const ImageDesc& desc) {
        Graph graph;
        (void)graph.image("image", desc);
        return mistakes(std::move(graph));
    };
    EXPECT_THAT(of_image({.extent = {0, 4, 1}}), ElementsAre("graph/zero-size"));
    EXPECT_THAT(of_image({.extent = {4, 0, 1}}), ElementsAre("graph/zero-size"));
    EXPECT_THAT(of_image({.extent = {4, 4, 0}}), ElementsAre("graph/zero-size"));
    EXPECT_THAT(of_image({.extent = {4, 4, 1}, .mips = 0}), ElementsAre("graph/zero-size"));
    EXPECT_THAT(of_image({.extent = {4, 4, 1}, .layers = 0}), ElementsAre("graph/zero-size"));
    EXPECT_THAT(of_image({.extent = {4, 4, 1}, .samples = 0}), ElementsAre("graph/zero-size"));

    Graph graph;
    (void)graph.buffer("buffer", {.size = 0});
    (void)graph.import_buffer("import", {.size = 0}, {});
    (void)graph.constant_buffer("constant", {.size = 0}, nullptr);
    EXPECT_THAT(mistakes(std::move(graph)),
                ElementsAre("graph/zero-size", "graph/zero-size", "graph/zero-size"));
}

TEST(BadInput, ViewsAreNeverEmpty) {
    Sketch s;
    const Buffer data = s.buffer("data", 64);
    auto node = s.graph.custom("node");
    node.read(BufferView(data, 16, 0), Access::storage_read);
    node.read(BufferView(data, 64, 1), Access::storage_read);
    node.read(BufferView(data, ~0ull - 3, 8), Access::storage_read);
    EXPECT_THAT(codes(s.graph), ElementsAre("graph/view-out-of-range", "graph/view-out-of-range",
                                            "graph/view-out-of-range"));
}

TEST(BadInput, MipsBeyondTheExtentAreOneMistake) {
    for (const std::uint32_t mips : {3u, 32u, 33u, 16'384u, ~0u}) {
        Graph graph;
        (void)graph.image("image", {.extent = {2, 2, 1}, .mips = mips});
        EXPECT_THAT(mistakes(std::move(graph)), ElementsAre("graph/image-mips")) << mips;
    }
    Graph constant;
    (void)constant.constant_image("image", {.extent = {2, 2, 1}, .mips = 16'384}, nullptr);
    EXPECT_THAT(mistakes(std::move(constant)),
                ElementsAre("graph/contents-size", "graph/image-mips"));
}

TEST(BadInput, SumsOfSizesDoNotOverflow) {
    Graph graph;
    Buffer huge = graph.buffer("huge", {.size = ~0ull});
    huge = graph.fill(BufferView(huge, 0, 1024), 0);
    (void)graph.image("image", {.extent = {16'384, 16'384, 1}, .layers = 2048});
    EXPECT_THAT(mistakes(std::move(graph)),
                ElementsAre("graph/resource-size", "graph/resource-size"));

    Graph largest;
    (void)largest.buffer("a", {.size = kMaxResourceBytes});
    EXPECT_THAT(mistakes(std::move(largest)), IsEmpty());
}

TEST(BadInput, HistoriesHaveADepth) {
    for (const std::uint32_t depth : {0u, kMaxHistoryDepth + 1, ~0u}) {
        Graph graph;
        const BufferHistory buffer = graph.history_buffer("b", {.size = 4}, depth);
        (void)graph.fill(buffer.current, 0);
        const ImageHistory image = graph.history_image("i", kPicture, depth);
        (void)graph.clear(image.current, std::array<float, 4>{});
        EXPECT_THAT(mistakes(std::move(graph)),
                    ElementsAre("graph/history-depth", "graph/history-depth"))
            << depth;
    }
}

// --- overlapping views in one node ---------------------------------------------------------------

TEST(BadInput, ANodeWritesNothingThatItUsesOtherwise) {
    const ImageDesc array{.extent = {8, 8, 1}, .layers = 4, .shape = ImageShape::d2_array};
    const auto layers = [&](std::uint32_t first, std::uint32_t count) {
        Sketch s;
        const Image image = s.write("write", s.image("image", array));
        auto node = s.graph.custom("node");
        node.read(ImageView(image).layer(0, 2), Access::storage_read);
        const Image written =
            node.write(ImageView(image).layer(first, count), Access::storage_write);
        node.keep();
        (void)written;
        return codes(s.compile());
    };
    EXPECT_THAT(layers(1, 2), ElementsAre("graph/self-overlap"));
    EXPECT_THAT(layers(0, 4), ElementsAre("graph/self-overlap"));
    EXPECT_THAT(layers(2, 2), IsEmpty());

    const auto bytes = [&](std::uint64_t offset) {
        Sketch s;
        const Buffer data = s.write("write", s.buffer("data", 64));
        auto node = s.graph.custom("node");
        node.read(BufferView(data, 0, 17), Access::storage_read);
        (void)node.write(BufferView(data, offset, 16), Access::storage_write);
        node.keep();
        return codes(s.compile());
    };
    EXPECT_THAT(bytes(16), ElementsAre("graph/self-overlap"));
    EXPECT_THAT(bytes(20), IsEmpty());
}

TEST(BadInput, ManyOverlapsAreOneMistake) {
    Sketch s;
    const Buffer data = s.write("write", s.buffer("data", 64));
    auto node = s.graph.custom("node");
    for (int i = 0; i < 100; ++i)
        node.read(data, Access::storage_read);
    (void)node.write(data, Access::storage_write);
    EXPECT_THAT(codes(s.compile()), ElementsAre("graph/self-overlap"));
}

// --- imports -------------------------------------------------------------------------------------

struct ImportCase {
    Scope scope;
    const char* message; ///< nullptr: possible
};

std::string import_message(const Scope& scope, const ImageDesc* image, bool last) {
    const Scope fine{stage::kAllCommands, memory::kMemoryRead | memory::kMemoryWrite,
                     image ? Layout::general : Layout::undefined};
    const ImportState state = last ? ImportState{fine, scope} : ImportState{scope, fine};
    Graph graph;
    if (image)
        (void)graph.import_image("mine", *image, state);
    else
        (void)graph.import_buffer("mine", {.size = 64}, state);
    const Result<Plan> plan = compile(std::move(graph).finish(), DeviceCaps{});
    if (plan) return {};
    EXPECT_THAT(codes(plan), ElementsAre("graph/import-state"));
    return plan.error().front().message;
}

void expect_cases(std::span<const ImportCase> cases, const ImageDesc* image) {
    for (const bool last : {false, true})
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const std::string message = import_message(cases[i].scope, image, last);
            if (cases[i].message)
                EXPECT_THAT(message, HasSubstr(cases[i].message)) << "case " << i;
            else
                EXPECT_EQ(message, "") << "case " << i;
        }
}

TEST(BadInput, ImportsOfColourImagesAreInPossibleStates) {
    using namespace memory;
    const ImportCase cases[] = {
        {{}, nullptr},
        {{stage::kNone, kNone, Layout::present}, nullptr},
        {{stage::kAllCommands, kMemoryRead | kMemoryWrite, Layout::shader_read_only}, nullptr},
        {{stage::kColorOutput, kColorWrite, Layout::color_attachment}, nullptr},
        {{stage::kFragmentShader, kSampledRead, Layout::shader_read_only}, nullptr},
        {{stage::kColorOutput, kNone, Layout::color_attachment}, nullptr},
        {{0x200000, kStorageWrite, Layout::general}, nullptr}, // a stage that Tuff has no name for
        {{stage::kNone, kSampledRead, Layout::shader_read_only}, "no stages"},
        {{stage::kCompute, kColorWrite, Layout::general}, "performs colour accesses"},
        {{stage::kAllCommands, kHostWrite, Layout::general}, "performs host accesses"},
        {{stage::kColorOutput, kColorWrite, Layout::shader_read_only}, "does not allow its writes"},
        {{stage::kCopy, kTransferWrite, Layout::transfer_source}, "does not allow its writes"},
        {{stage::kLateDepth, kDepthWrite, Layout::depth_attachment}, "no depth layout"},
        {{stage::kFragmentShader, kSampledRead, Layout::depth_read_only}, "no depth layout"},
        {{stage::kNone, kNone, static_cast<Layout>(77)}, "no such layout"},
    };
    expect_cases(cases, &kPicture);
}

TEST(BadInput, ImportsOfDepthImagesAndBuffersAreInPossibleStates) {
    using namespace memory;
    const ImageDesc depth{.format = Format::d32_sfloat, .extent = {8, 8, 1}};
    const ImportCase depth_cases[] = {
        {{stage::kLateDepth, kDepthWrite, Layout::depth_attachment}, nullptr},
        {{stage::kFragmentShader, kSampledRead, Layout::depth_read_only}, nullptr},
        {{stage::kColorOutput, kNone, Layout::color_attachment}, "no colour attachment"},
        {{stage::kNone, kNone, Layout::present}, "presented"},
    };
    expect_cases(depth_cases, &depth);
    const ImportCase buffer_cases[] = {
        {{stage::kCompute, kStorageWrite}, nullptr},
        {{stage::kHost, kHostWrite}, nullptr},
        {{stage::kCompute, kStorageWrite, Layout::general}, "a buffer has no layout"},
        {{stage::kVertexShader, kTransferRead}, "performs transfers"},
    };
    expect_cases(buffer_cases, nullptr);
}

// --- very many -----------------------------------------------------------------------------------

constexpr std::uint32_t kMany = 100'000;

/// A test that hangs fails by its time limit; this one says so sooner. The limit is that of a slow
/// machine with a sanitizer.
template <typename Make>
std::vector<std::string> answer_in_time(Make make) {
    const auto begin = std::chrono::steady_clock::now();
    Graph graph;
    make(graph);
    const auto result = mistakes(std::move(graph));
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(time.count(), 60.0);
    return result;
}

TEST(BadInputInBulk, ALongChainCompiles) {
    EXPECT_THAT(answer_in_time([](Graph& graph) {
                    Buffer b = graph.fill(graph.buffer("first", {.size = 256}), 0);
                    for (std::uint32_t i = 0; i < kMany; ++i) {
                        CustomNodeBuilder node = graph.custom("step");
                        node.read(b, Access::storage_read);
                        b = node.write(graph.buffer("b", {.size = 256}), Access::storage_write);
                    }
                    graph.output("out", b);
                }),
                IsEmpty());
}

/// Each writes over what the one before wrote, and could have kept some of it.
TEST(BadInputInBulk, ALongPingPongCompiles) {
    EXPECT_THAT(answer_in_time([](Graph& graph) {
                    Buffer a = graph.fill(graph.buffer("a", {.size = 256}), 0);
                    Buffer b = graph.fill(graph.buffer("b", {.size = 256}), 0);
                    for (std::uint32_t i = 0; i < kMany; ++i) {
                        CustomNodeBuilder node = graph.custom("step");
                        node.read(a, Access::storage_read);
                        b = node.write(b, Access::storage_write);
                        std::swap(a, b);
                    }
                    graph.output("out", a);
                }),
                IsEmpty());
}

TEST(BadInputInBulk, ManyReadersOfOneImageCompile) {
    EXPECT_THAT(answer_in_time([](Graph& graph) {
                    const Image image =
                        graph.clear(graph.image("image", kPicture), std::array<float, 4>{});
                    const BufferHistory sums = graph.history_buffer("sums", {.size = 256});
                    Buffer sum = graph.fill(sums.current, 0);
                    for (std::uint32_t i = 0; i < kMany; ++i) {
                        CustomNodeBuilder node = graph.custom("read");
                        node.read(image, Access::sampled, stage::kCompute);
                        (void)node.write(sum, Access::accumulate, stage::kCompute);
                    }
                }),
                IsEmpty());
}

/// All buffers are alive at once, and no two of a size.
TEST(BadInputInBulk, AWideGraphCompiles) {
    EXPECT_THAT(answer_in_time([](Graph& graph) {
                    for (std::uint32_t i = 0; i < kMany; ++i)
                        graph.output(
                            std::to_string(i),
                            graph.fill(graph.buffer("b", {.size = 256 * (i % 977 + 1)}), 0));
                }),
                IsEmpty());
}

/// Each buffer lives for a thousand nodes.
TEST(BadInputInBulk, LongLivesThatOverlapCompile) {
    EXPECT_THAT(answer_in_time([](Graph& graph) {
                    const BufferHistory sums = graph.history_buffer("sums", {.size = 256});
                    Buffer sum = graph.fill(sums.current, 0);
                    std::vector<Buffer> window(1000);
                    for (std::uint32_t i = 0; i < kMany; ++i) {
                        CustomNodeBuilder node = graph.custom("step");
                        Buffer& slot = window[i % window.size()];
                        if (slot) node.read(slot, Access::storage_read);
                        sum = node.write(sum, Access::storage_read_write);
                        slot = node.write(graph.buffer("b", {.size = 256 * (i % 977 + 1)}),
                                          Access::storage_write);
                    }
                }),
                IsEmpty());
}

TEST(BadInputInBulk, MoreNodesThanTheBoundAreRefused) {
    EXPECT_THAT(answer_in_time([](Graph& graph) {
                    for (std::size_t i = 0; i <= kMaxNodes; ++i)
                        graph.custom("node").keep();
                }),
                ElementsAre("graph/too-many-nodes"));
}

/// Every one of the first half comes before every one of the second: 2.5 billion pairs.
TEST(BadInputInBulk, DependenciesOfAllOnAllAreRefused) {
    EXPECT_THAT(answer_in_time([](Graph& graph) {
                    Buffer sum = graph.fill(graph.buffer("sum", {.size = 4}), 0);
                    for (int half = 0; half < 2; ++half) {
                        Buffer next;
                        for (std::uint32_t i = 0; i < kMany / 2; ++i)
                            next =
                                graph.custom("add").write(sum, Access::accumulate, stage::kCompute);
                        sum = next;
                    }
                    graph.output("sum", sum);
                }),
                ElementsAre("graph/too-many-dependencies"));
}

/// Ten thousand readers of all of a buffer that is cut into as many parts.
TEST(BadInputInBulk, PartsOfAllForAllAreRefused) {
    EXPECT_THAT(answer_in_time([](Graph& graph) {
                    Buffer b = graph.fill(graph.buffer("b", {.size = 4 * kMany}), 0);
                    for (std::uint32_t i = 0; i < kMany / 10; ++i)
                        b = graph.fill(BufferView(b, 4 * i, 4), 1);
                    for (std::uint32_t i = 0; i < kMany / 10; ++i) {
                        CustomNodeBuilder node = graph.custom("read");
                        node.read(b, Access::storage_read);
                        node.keep();
                    }
                }),
                ElementsAre("graph/too-many-dependencies"));
}

TEST(BadInputInBulk, PartsOfOneNodeHaveABound) {
    EXPECT_THAT(answer_in_time([](Graph& graph) {
                    const Buffer b = graph.fill(graph.buffer("b", {.size = 4 * kMany}), 0);
                    CustomNodeBuilder node = graph.custom("read");
                    for (std::uint32_t i = 0; i < kMany; ++i)
                        node.read(BufferView(b, 4 * i, 4), Access::storage_read);
                    node.keep();
                }),
                ElementsAre("graph/too-many-accesses"));
}

/// Nodes that grow by turns move their accesses each time.
TEST(BadInputInBulk, NodesThatGrowByTurnsDoNotFillMemory) {
    EXPECT_THAT(answer_in_time([](Graph& graph) {
                    const Buffer b = graph.fill(graph.buffer("b", {.size = 4 * kMany}), 0);
                    std::vector<CustomNodeBuilder> nodes;
                    for (int i = 0; i < 8; ++i)
                        nodes.push_back(graph.custom("node"));
                    for (std::uint32_t i = 0; i < kMany / 10; ++i)
                        nodes[i % nodes.size()].read(BufferView(b, 4 * i, 4), Access::storage_read);
                }),
                ElementsAre("graph/too-many-accesses"));
}

TEST(BadInputInBulk, OutputsHaveNamesOfTheirOwn) {
    EXPECT_THAT(answer_in_time([](Graph& graph) {
                    const Buffer b = graph.fill(graph.buffer("b", {.size = 4}), 0);
                    for (std::uint32_t i = 0; i < kMany; ++i)
                        graph.output(std::to_string(i), b);
                    graph.output("7", b);
                }),
                ElementsAre("graph/duplicate-output"));
}

} // namespace
} // namespace tuff
