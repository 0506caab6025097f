// What the validation layer says of images that take over memory.
//
// An image is written and never read, a buffer has its bytes next, and another image has them after
// that. The barrier that changes the last one's layout waits for the buffer's readers and names no
// write: an earlier barrier has made the image's write available, and the buffer's readers came
// after it. Vulkan asks no more of a change of layout (its write comes after the availability of
// what its first scope includes, and chains count). Layers from before October 2023 do, for they
// look at the names of accesses alone: Khronos' issue 6508 of Vulkan-ValidationLayers, mended in
// 6684.

#include "tests/common/word_kernels.hpp"
#include "tests/gpu/gpu_fixture.hpp"

namespace tuff {
namespace {

using test::iota;
using test::sum;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_gpu::Running;

class ReusedMemoryTest : public testing_gpu::GpuTest {
  protected:
    static constexpr ImageDesc kPicture{.format = Format::rgba32_sfloat, .extent = {32, 32, 1}};
    static constexpr ImageDesc kSquare{.format = Format::rgba32_sfloat, .extent = {8, 8, 1}};
    static constexpr std::uint64_t kBytes = 16 * 32 * 32;
    static constexpr BufferDesc kLarge{.size = kBytes, .stride = 4};
    static constexpr BufferDesc kSmall{.size = 4 * 32 * 32, .stride = 4};

    /// Ends with the image "last". Its kernel reads what the buffer's reader made; or it overwrites
    /// an image that was read, so that nothing beside it waits for a write. All but "words" and
    /// what shares its memory are small, so that there is no choice of places.
    Graph image_buffer_image(bool last_reads) {
        Graph g = graph();
        auto both = g.compute("test/two_images");
        g.output("first", both.write("first", g.image("first", kSquare)));
        static_cast<void>(both.write("second", g.image("second", kPicture)));
        both.dispatch_over(kPicture.extent);
        const Buffer words = iota(g, "words", kLarge, 1);
        const Buffer held = sum(g, words, words, g.buffer("held", kLarge));
        const Buffer read = sum(g, held, held, g.buffer("read", kSmall));
        g.output("read", read);
        if (last_reads) {
            auto node = g.compute("test/words_image", "last");
            node.read("source", read);
            g.output("last", node.write("target", g.image("last", kPicture)));
            node.dispatch_over(kPicture.extent);
            return g;
        }
        auto begin = g.compute("test/coordinates");
        const Image begun = begin.write("target", g.image("begun", kSquare));
        begin.dispatch_over(kSquare.extent);
        const Image other = incremented(g, begun, "other");
        g.output("seen", incremented(g, other, "seen")); // in the level in which "held" is read
        auto node = g.compute("test/two_images", "last");
        g.output("last", node.write("first", g.image("last", kPicture)));
        g.output("other", node.write("second", other));
        node.dispatch_over(kPicture.extent);
        return g;
    }
    static Image incremented(Graph& g, Image image, std::string_view name) {
        auto node = g.compute("test/increment_image");
        node.read("source", image, Sampler::nearest());
        const Image result = node.write("target", g.image(name, kSquare));
        node.dispatch_over(kSquare.extent);
        return result;
    }
    static ResourceId resource(const Plan& plan, std::string_view name) {
        for (std::uint32_t r = 0; r < plan.graph.resources.size(); ++r)
            if (plan.graph.name_of(ResourceId{r}) == name) return {r};
        ADD_FAILURE() << "no resource is called " << name;
        return {};
    }
    /// The change of layout before "last" is written. It has the bytes of "second" and of "held",
    /// and names no write: else the tests would say nothing.
    static std::uint32_t change_of_layout(const Plan& plan) {
        const auto place = [&](std::string_view name) {
            return plan.allocations[resource(plan, name).index];
        };
        EXPECT_EQ(place("last").offset, place("second").offset);
        EXPECT_EQ(place("last").offset, place("held").offset);
        for (std::uint32_t i = 0; i < plan.image_barriers.size(); ++i) {
            const ImageBarrier& barrier = plan.image_barriers[i];
            if (barrier.resource != resource(plan, "last")) continue;
            EXPECT_EQ(barrier.from, Layout::undefined);
            EXPECT_EQ(barrier.source_stages, stage::kCompute);
            EXPECT_EQ(barrier.source_memory, memory::kNone);
            return i;
        }
        ADD_FAILURE() << "nothing changes the layout";
        return 0;
    }
    std::vector<std::string> messages_of(std::shared_ptr<const Plan> plan) {
        Running running = start(std::move(plan));
        running.execute();
        if (running) {
            EXPECT_TRUE(running->wait());
        }
        return take_messages();
    }
};

// What the other barriers of the command name, the recorder names again.
TEST_F(ReusedMemoryTest, IsCleanWhereABarrierBesideNamesTheWrite) {
    const auto plan = compile_graph(image_buffer_image(true));
    ASSERT_TRUE(plan);
    change_of_layout(*plan);
    EXPECT_THAT(messages_of(plan), IsEmpty());
}

// Where there is no other barrier, an old layer speaks of the image's write though barriers have
// made it available to all that it lists; a new one does not. To name the write is all it wants.
TEST_F(ReusedMemoryTest, IsReportedByOldLayersUnlessTheWriteIsNamed) {
    const auto plan = compile_graph(image_buffer_image(false));
    ASSERT_TRUE(plan);
    const std::uint32_t change = change_of_layout(*plan);
    const std::vector<std::string> messages = messages_of(plan);
    RecordProperty("messages", static_cast<int>(messages.size()));
    EXPECT_THAT(messages, Each(AllOf(HasSubstr("vkCmdPipelineBarrier2: Hazard WRITE_AFTER_WRITE"),
                                     HasSubstr("usage: SYNC_IMAGE_LAYOUT_TRANSITION"),
                                     HasSubstr("write_barriers: SYNC_COMPUTE_SHADER"))));
    auto named = std::make_shared<Plan>(*plan);
    named->image_barriers[change].source_memory = memory::kStorageWrite;
    EXPECT_THAT(messages_of(named), IsEmpty());
}

// That silence means something: a change of layout that waits for nothing is still reported.
TEST_F(ReusedMemoryTest, IsReportedWhereNothingIsWaitedFor) {
    const auto plan = compile_graph(image_buffer_image(false));
    ASSERT_TRUE(plan);
    auto hasty = std::make_shared<Plan>(*plan);
    ImageBarrier& barrier = hasty->image_barriers[change_of_layout(*plan)];
    barrier.source_stages = stage::kNone;
    EXPECT_THAT(messages_of(hasty), testing::Contains(HasSubstr("WRITE_AFTER_WRITE")));
}

} // namespace
} // namespace tuff
