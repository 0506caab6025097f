#include "graph/compile/stages.hpp"
#include "sketch.hpp"

#include <random>
#include <tuple>

namespace tuff {
namespace {

using namespace test;
using testing::SizeIs;

class Dice {
  public:
    explicit Dice(std::uint32_t seed) : engine_(seed) {}
    /// One of 0 ... sides - 1.
    std::uint32_t operator()(std::uint32_t sides) {
        return static_cast<std::uint32_t>(engine_() % sides);
    }

  private:
    std::mt19937 engine_;
};

/// A device whose images take twice their texels, in pages, of a memory of their own.
struct Padded : MemoryModel {
    MemoryRequirements image(const ImageDesc& desc, UsageMask usage) const override {
        MemoryRequirements needs = MemoryModel::image(desc, usage);
        return {.size = 2 * needs.size, .alignment = 4096, .type_bits = 2};
    }
    MemoryRequirements buffer(const BufferDesc& desc, UsageMask) const override {
        return {.size = desc.size + 1, .alignment = 64, .type_bits = 1};
    }
};

/// Buffers of the given sizes and live_ranges, placed.
struct Packed {
    struct Wanted {
        std::uint64_t size;
        LiveRange life;
    };
    explicit Packed(const std::vector<Wanted>& wanted, AliasMode mode = AliasMode::on,
                    const MemoryModel& model = MemoryModel{}, const DeviceCaps& caps = {}) {
        Graph graph;
        std::vector<LiveRange> live_ranges;
        for (const Wanted& w : wanted) {
            (void)graph.buffer("buffer", {.size = w.size});
            live_ranges.push_back(w.life);
        }
        memory = alias(std::move(graph).finish(), live_ranges,
                       std::vector<UsageMask>(wanted.size(), usage::kStorage), model, caps, mode);
    }
    /// Two that live together share no byte.
    void check() const {
        for (std::size_t a = 0; a < memory.allocations.size(); ++a)
            for (std::size_t b = a + 1; b < memory.allocations.size(); ++b) {
                const Allocation& x = memory.allocations[a];
                const Allocation& y = memory.allocations[b];
                if (x.first_level <= y.last_level && y.first_level <= x.last_level) {
                    EXPECT_FALSE(share_bytes(x, y)) << a << " and " << b;
                }
            }
    }
    std::uint64_t bytes() const { return memory.blocks.empty() ? 0 : memory.blocks[0].size; }
    Memory memory;
};

TEST(Alias, LivesThatMeetShareNothing) {
    const Packed packed({{256, {0, 1}}, {256, {1, 2}}});
    packed.check();
    EXPECT_EQ(packed.bytes(), 512u);
}

TEST(Alias, LivesThatDoNotMeetShareBytes) {
    const Packed packed({{256, {0, 1}}, {256, {2, 3}}});
    EXPECT_TRUE(share_bytes(packed.memory.allocations[0], packed.memory.allocations[1]));
    EXPECT_EQ(packed.bytes(), 256u);
    EXPECT_EQ(packed.memory.naive_bytes, 512u);
    EXPECT_EQ(packed.memory.peak_bytes, 256u);
}

TEST(Alias, CubesShareNothingWhereTheirBordersAreFilteredWithThem) {
    Graph graph;
    const ImageDesc cube{
        .format = Format::r32_sfloat, .extent = {8, 8, 1}, .layers = 6, .shape = ImageShape::cube};
    const ImageDesc flat{.format = Format::r32_sfloat, .extent = {32, 32, 1}};
    (void)graph.image("before", flat);
    (void)graph.image("cube", cube);
    (void)graph.image("after", flat);
    const GraphDesc desc = std::move(graph).finish();
    const std::vector<LiveRange> live_ranges{{0, 0}, {1, 1}, {2, 2}};
    for (const bool seamless : {false, true}) {
        DeviceCaps caps;
        caps.seamless_cubes = seamless;
        const Memory memory = alias(desc, live_ranges, std::vector<UsageMask>(3, usage::kStorage),
                                    MemoryModel{}, caps, AliasMode::on);
        const auto& [before, around, after] =
            std::tie(memory.allocations[0], memory.allocations[1], memory.allocations[2]);
        EXPECT_TRUE(share_bytes(before, after));
        EXPECT_EQ(share_bytes(before, around), seamless);
        EXPECT_EQ(share_bytes(around, after), seamless);
        EXPECT_EQ(around.first_level, 1u) << "what the barriers go by";
        EXPECT_EQ(around.last_level, 1u);
    }
}

TEST(Alias, OffGivesEachItsOwnBytes) {
    const Packed packed({{256, {0, 1}}, {512, {2, 3}}, {256, {4, 4}}}, AliasMode::off);
    EXPECT_EQ(packed.bytes(), 1024u);
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = a + 1; b < 3; ++b)
            EXPECT_FALSE(share_bytes(packed.memory.allocations[a], packed.memory.allocations[b]));
}

TEST(Alias, FillsAGapBelowALivingNeighbour) {
    // The first two leave [0, 512) free at level 2 beside a third that still lives above.
    const Packed packed({{512, {0, 1}}, {768, {0, 3}}, {256, {2, 3}}, {256, {2, 3}}});
    packed.check();
    EXPECT_EQ(packed.bytes(), packed.memory.peak_bytes);
}

TEST(Alias, PlacesByBirthWhereThatIsSmaller) {
    // A chain that grows and shrinks: large first would leave a hole.
    std::vector<Packed::Wanted> chain;
    Dice dice(7);
    for (std::uint32_t level = 0; level < 60; ++level)
        chain.push_back({256 * (1 + dice(16)), {level, level + 1 + dice(4)}});
    const Packed packed(chain);
    packed.check();
    EXPECT_GE(packed.bytes(), packed.memory.peak_bytes);
    EXPECT_LT(packed.bytes(), packed.memory.peak_bytes * 3 / 2);
}

TEST(Alias, NeverOverlapsTheLivingWhateverTheirSizesAndLives) {
    Dice dice(3);
    for (int round = 0; round < 50; ++round) {
        std::vector<Packed::Wanted> wanted;
        for (int i = 0; i < 30; ++i) {
            const std::uint32_t first = dice(20);
            wanted.push_back({1 + dice(5000), {first, first + dice(6)}});
        }
        for (const AliasMode mode : {AliasMode::on, AliasMode::off}) {
            const Packed packed(wanted, mode, Padded{});
            packed.check();
            for (const Allocation& a : packed.memory.allocations) {
                EXPECT_EQ(a.offset % 64, 0u);
                EXPECT_LE(a.offset + a.size, packed.bytes());
            }
            EXPECT_GE(packed.bytes(), packed.memory.peak_bytes);
            EXPECT_LE(packed.bytes(), packed.memory.naive_bytes);
        }
    }
}

TEST(Alias, TheDeadTakeNoRoom) {
    const Packed packed({{256, {0, 0}}, {256, LiveRange{}}});
    EXPECT_EQ(packed.bytes(), 256u);
    EXPECT_EQ(packed.memory.allocations[1].block, ~0u);
}

TEST(Alias, NothingAtAllNeedsNoBlock) {
    EXPECT_THAT(Packed(std::vector<Packed::Wanted>{}).memory.blocks, SizeIs(0));
}

TEST(Alias, KeepsToTheDevicesGranularity) {
    DeviceCaps caps;
    caps.buffer_image_granularity = 1024;
    const Packed packed({{256, {0, 1}}, {256, {0, 1}}}, AliasMode::on, MemoryModel{}, caps);
    EXPECT_EQ(packed.memory.allocations[0].offset % 1024, 0u);
    EXPECT_EQ(packed.memory.allocations[1].offset % 1024, 0u);
    EXPECT_EQ(packed.bytes(), 2048u);
    EXPECT_EQ(packed.memory.blocks[0].alignment, 1024u);
}

TEST(Alias, SizesAreTheDevicesNotTheTexels) {
    Sketch s;
    s.graph.output("result", s.write("write", s.image("picture")));
    const Padded model;
    const Plan plan = s.plan({.memory = &model});
    EXPECT_EQ(place_of(plan, "picture").size, 2 * kPictureBytes);
    EXPECT_EQ(plan.blocks[0].alignment, 4096u);
    EXPECT_EQ(plan.blocks[0].type_bits, 2u);
    EXPECT_EQ(plan.options.memory, nullptr);
}

TEST(Alias, ResourcesOfDifferentMemoryTypesLieInBlocksOfTheirOwn) {
    Sketch s;
    const Image picture = s.write("picture", s.image("picture"));
    auto node = s.graph.custom("data");
    node.read(picture, Access::sampled);
    s.graph.output("result", node.write(s.buffer("data"), Access::storage_write));
    const Padded model;
    const Plan plan = s.plan({.memory = &model});
    ASSERT_THAT(plan.blocks, SizeIs(2));
    EXPECT_NE(place_of(plan, "picture").block, place_of(plan, "data").block);
    EXPECT_EQ(plan.blocks[place_of(plan, "picture").block].type_bits, 2u);
    EXPECT_EQ(plan.statistics.transient_bytes, plan.blocks[0].size + plan.blocks[1].size);
}

TEST(Alias, OnlyTransientResourcesArePlaced) {
    Sketch s;
    const auto bytes = std::make_shared<const std::vector<std::byte>>(64);
    s.read("a", s.graph.constant_buffer("constant", {.size = 64}, bytes));
    (void)s.write("b", s.graph.import_buffer("import", {.size = 64}, {}));
    (void)s.write("c", s.graph.history_buffer("history", {.size = 64}).current);
    const Plan plan = s.plan();
    EXPECT_THAT(plan.blocks, SizeIs(0));
    EXPECT_EQ(plan.statistics.naive_bytes, 0u);
}

TEST(Alias, AnOutputKeepsItsBytesToTheEnd) {
    Sketch s;
    const Buffer kept = s.write("kept", s.buffer("kept"));
    s.graph.output("kept", kept);
    Buffer data = s.step("1", kept, s.buffer("1"));
    for (const char* name : {"2", "3", "4"})
        data = s.step(name, data, s.buffer(name));
    s.graph.output("end", data);
    const Plan plan = s.plan();
    for (const char* name : {"1", "2", "3", "4"})
        EXPECT_FALSE(share_bytes(place_of(plan, "kept"), place_of(plan, name))) << name;
    EXPECT_TRUE(share_bytes(place_of(plan, "1"), place_of(plan, "3")));
}

TEST(MemoryModel, CountsTexelsOfAllMipsLayersAndSamples) {
    const MemoryModel model;
    EXPECT_EQ(model.image(kPicture, 0).size, kPictureBytes);
    EXPECT_EQ(model.image(mipped(7), 0).size,
              (64 * 64 + 32 * 32 + 16 * 16 + 64 + 16 + 4 + 1) * 4 + 172u); // rounded up to 256
    ImageDesc layered = kPicture;
    layered.layers = 3;
    EXPECT_EQ(model.image(layered, 0).size, 3 * kPictureBytes);
    ImageDesc multisampled = kPicture;
    multisampled.samples = 4;
    EXPECT_EQ(model.image(multisampled, 0).size, 4 * kPictureBytes);
    EXPECT_EQ(model.buffer({.size = 257}, 0).size, 512u);
}

} // namespace
} // namespace tuff
