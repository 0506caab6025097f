#include "graph/compile/stages.hpp"
#include "sketch.hpp"

namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

struct Depended {
    explicit Depended(Sketch&& sketch)
        : graph(std::move(sketch.graph).finish()),
          found(find_dependencies(graph, index_accesses(graph))) {}
    std::vector<std::string> before(std::string_view node) const {
        return names_of(graph, found.before[node_named(graph, node).index]);
    }
    std::vector<std::string> producers(std::string_view node) const {
        return names_of(graph, found.producers[node_named(graph, node).index]);
    }
    GraphDesc graph;
    Dependencies found;
};

TEST(Dependencies, AReaderFollowsTheWriterOfItsVersion) {
    Sketch s;
    s.read("read", s.write("write", s.buffer("data")));
    const Depended d(std::move(s));
    EXPECT_THAT(d.before("read"), ElementsAre("write"));
    EXPECT_THAT(d.producers("read"), ElementsAre("write"));
    EXPECT_THAT(d.before("write"), IsEmpty());
}

TEST(Dependencies, AnOverwriterFollowsTheReadersButNeedsThemNot) {
    Sketch s;
    const Buffer old = s.write("write", s.buffer("data"));
    s.read("read", old);
    (void)s.write("overwrite", old, Access::clear_write);
    const Depended d(std::move(s));
    EXPECT_THAT(d.before("overwrite"), UnorderedElementsAre("write", "read"));
    EXPECT_THAT(d.producers("overwrite"), IsEmpty());
}

TEST(Dependencies, AnUpdateInPlaceNeedsWhatItUpdates) {
    Sketch s;
    const Buffer old = s.write("write", s.buffer("data"));
    (void)s.write("update", old, Access::storage_read_write);
    EXPECT_THAT(Depended(std::move(s)).producers("update"), ElementsAre("write"));
}

TEST(Dependencies, EachIsListedOnce) {
    Sketch s;
    const Image chain = s.write("write", s.image("chain", mipped(3)));
    auto reader = s.graph.custom("read");
    for (std::uint32_t level = 0; level < 3; ++level)
        reader.read(mip(chain, level), Access::sampled);
    EXPECT_THAT(Depended(std::move(s)).before("read"), ElementsAre("write"));
}

TEST(Dependencies, ANodeDoesNotWaitForItself) {
    Sketch s;
    const Image chain = s.write("write", s.image("chain", mipped(2)));
    (void)s.step("down", mip(chain, 0), mip(chain, 1));
    EXPECT_THAT(Depended(std::move(s)).before("down"), ElementsAre("write"));
}

TEST(Dependencies, PartsThatDoNotMeetDoNotMatter) {
    Sketch s;
    const Buffer low = s.write("low", BufferView(s.buffer("data", 64), 0, 32));
    const Buffer high = s.write("high", BufferView(low, 32, 32));
    s.read("read low", BufferView(high, 0, 32));
    s.read("read both", high);
    const Depended d(std::move(s));
    EXPECT_THAT(d.before("high"), IsEmpty());
    EXPECT_THAT(d.before("read low"), ElementsAre("low"));
    EXPECT_THAT(d.before("read both"), ElementsAre("low", "high"));
}

TEST(Dependencies, NodesThatAccumulateAreUnordered) {
    Sketch s;
    const Buffer zero = s.graph.fill(s.buffer("bins"), 0, "zero");
    s.read("look", zero);
    (void)s.write("first", zero, Access::accumulate);
    s.read("read", s.write("second", zero, Access::accumulate));
    const Depended d(std::move(s));
    EXPECT_THAT(d.before("first"), UnorderedElementsAre("zero", "look"));
    EXPECT_THAT(d.before("second"), UnorderedElementsAre("zero", "look"));
    EXPECT_THAT(d.before("read"), ElementsAre("first", "second"));
    EXPECT_THAT(d.producers("read"), testing::IsSupersetOf({"first", "second"}));
}

TEST(Dependencies, OutputsNeedWhatIsInThem) {
    Sketch s;
    const Image top = s.write("top", mip(s.image("chain", mipped(2)), 0));
    s.graph.output("chain", s.write("bottom", mip(top, 1)));
    s.graph.output("other", s.write("other", s.buffer("other")));
    const Depended d(std::move(s));
    EXPECT_THAT(names_of(d.graph, d.found.output_producers[0]),
                UnorderedElementsAre("top", "bottom"));
    EXPECT_THAT(names_of(d.graph, d.found.output_producers[1]), ElementsAre("other"));
}

// --- contents that nothing has written -----------------------------------------------------------

TEST(UndefinedRead, IsReportedOnceAResource) {
    Sketch s;
    const Buffer data = s.buffer("data");
    s.read("first", data);
    s.read("second", data);
    s.read("third", s.buffer("other"));
    const Result<Plan> plan = s.compile();
    ASSERT_THAT(codes(plan), ElementsAre("graph/undefined-read", "graph/undefined-read"));
    EXPECT_THAT(plan.error()[0].message, HasSubstr("node 'first' reads 'data'"));
    EXPECT_THAT(plan.error()[1].message, HasSubstr("'other'"));
}

TEST(UndefinedRead, OfOnePartIsEnough) {
    Sketch s;
    s.read("read", s.write("top", mip(s.image("chain", mipped(2)), 0)));
    EXPECT_THAT(codes(s.compile()), ElementsAre("graph/undefined-read"));
}

TEST(UndefinedRead, InPlaceWritesAndAccumulationReadToo) {
    for (const Access access :
         {Access::storage_read_write, Access::accumulate, Access::color_read_write}) {
        Sketch s;
        s.read("read", s.write("write", s.image("picture"), access), Access::sampled);
        EXPECT_THAT(codes(s.compile()), ElementsAre("graph/undefined-read")) << name_of(access);
    }
}

TEST(UndefinedRead, OutputsMustBeWrittenInAllParts) {
    Sketch s;
    s.graph.output("chain", s.write("top", mip(s.image("chain", mipped(2)), 0)));
    const Result<Plan> plan = s.compile();
    ASSERT_THAT(codes(plan), ElementsAre("graph/undefined-read"));
    EXPECT_THAT(plan.error()[0].message, HasSubstr("output 'chain'"));
}

TEST(UndefinedRead, AnOutputThatNothingWroteIsUndefined) {
    Sketch s;
    s.graph.output("nothing", s.buffer("data"));
    EXPECT_THAT(codes(s.compile()), ElementsAre("graph/undefined-read"));
}

TEST(UndefinedRead, ConstantsEarlierAgesAndImportsHaveContents) {
    Sketch s;
    const auto bytes = std::make_shared<const std::vector<std::byte>>(64);
    s.read("constant", s.graph.constant_buffer("constant", {.size = 64}, bytes));
    const BufferHistory history = s.graph.history_buffer("history", {.size = 64});
    s.read("history", history.previous[0]);
    (void)s.write("write", history.current);
    s.read("import", s.graph.import_buffer("import", {.size = 64}, {}));
    s.read("image",
           s.graph.import_image("image", kPicture, {.first = {.layout = Layout::general}}));
    EXPECT_THAT(codes(s.compile()), IsEmpty());
}

TEST(UndefinedRead, ThisExecutionsAgeStartsUndefined) {
    Sketch s;
    const BufferHistory history = s.graph.history_buffer("history", {.size = 64});
    (void)s.write("update", history.current, Access::storage_read_write);
    EXPECT_THAT(codes(s.compile()), ElementsAre("graph/undefined-read"));
}

TEST(UndefinedRead, AnImportInNoLayoutHoldsNothing) {
    Sketch s;
    s.read("read", s.graph.import_image("image", kPicture, {}));
    EXPECT_THAT(codes(s.compile()), ElementsAre("graph/undefined-read"));
}

} // namespace
} // namespace tuff
