#include "sketch.hpp"

#include <tuff/history.hpp>

namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

HistoryInfo numbers(std::string name, std::uint64_t size = 64) {
    return {.name = std::move(name), .desc = BufferDesc{.size = size, .stride = 4}};
}

HistoryInfo picture(std::string name, ImageDesc desc = kPicture) {
    return {.name = std::move(name), .desc = desc};
}

TEST(Histories, AreThoseThatExecutionsRead) {
    Sketch s;
    const ImageHistory read = s.graph.history_image("read", kPicture, 2);
    const BufferHistory unread = s.graph.history_buffer("unread", {.size = 64}, 1, 7);
    auto node = s.graph.custom("mix");
    node.read(read.previous[1], Access::sampled, stage::kCompute);
    (void)node.write(read.current, Access::storage_write, stage::kCompute);
    (void)s.write("write", unread.current);
    const auto histories = histories_of(s.plan());
    ASSERT_THAT(histories, SizeIs(1));
    EXPECT_EQ(histories[0].name, "read");
    EXPECT_EQ(histories[0].depth, 2u);
    EXPECT_TRUE(histories[0].is_image());
    EXPECT_EQ(packed_bytes(histories[0]), 3 * kPictureBytes);
    EXPECT_EQ(describe(histories[0]), "rgba8_unorm 64x64, 2 executions back");
}

TEST(Histories, TakeTheBytesThatCopiesOfTheirAspectsTake) {
    HistoryInfo depth = picture("depth", {.format = Format::d32_sfloat_s8_uint, .extent = {4, 4}});
    EXPECT_EQ(packed_bytes(depth), 2u * 16 * 5);
    std::get<ImageDesc>(depth.desc).format = Format::d24_unorm_s8_uint;
    EXPECT_EQ(packed_bytes(depth), 2u * 16 * 5);
    std::get<ImageDesc>(depth.desc).format = Format::d16_unorm;
    EXPECT_EQ(packed_bytes(depth), 2u * 16 * 2);
}

TEST(Histories, GoOnByNameAndDescription) {
    const std::vector<HistoryInfo> before = {numbers("a"), numbers("gone"), picture("b")};
    const std::vector<HistoryInfo> now = {picture("b"), numbers("new"), numbers("a")};
    const HistoryMatch match = match_histories(before, now);
    EXPECT_THAT(match.same, ElementsAre(Pair(2, 0), Pair(0, 2)));
    EXPECT_THAT(match.restarted, IsEmpty());
}

TEST(Histories, OfOneNameGoOnInTheirOrder) {
    const std::vector<HistoryInfo> both = {numbers("a", 4), numbers("a", 8)};
    EXPECT_THAT(match_histories(both, both).same, ElementsAre(Pair(0, 0), Pair(1, 1)));
    EXPECT_THAT(match_histories(both, {{numbers("a", 8)}}).restarted, SizeIs(1));
}

TEST(Histories, BeginAgainWithTheReasonWhereTheyDiffer) {
    const auto reason = [](const HistoryInfo& before, const HistoryInfo& now) {
        const HistoryMatch match = match_histories({&before, 1}, {&now, 1});
        EXPECT_THAT(match.same, IsEmpty());
        EXPECT_THAT(codes(match.restarted), ElementsAre("graph/history-restarted"));
        return match.restarted.empty() ? "" : match.restarted.front().message;
    };
    EXPECT_EQ(reason(numbers("a", 64), numbers("a", 128)),
              "history 'a' begins again: it was a buffer of 64 bytes in elements of 4, 1 execution "
              "back and is a buffer of 128 bytes in elements of 4, 1 execution back now");
    HistoryInfo deeper = picture("p");
    deeper.depth = 3;
    EXPECT_THAT(reason(picture("p"), deeper), HasSubstr("is rgba8_unorm 64x64, 3 executions back"));
    HistoryInfo cleared = picture("p");
    cleared.clear[1] = 5;
    EXPECT_THAT(reason(picture("p"), cleared), HasSubstr("another first value"));
    ImageDesc layered = kPicture;
    layered.shape = ImageShape::d2_array;
    EXPECT_THAT(reason(picture("p"), picture("p", layered)), HasSubstr("another shape"));
    ImageDesc samples = kPicture;
    samples.samples = 4;
    EXPECT_THAT(reason(picture("p", samples), picture("p", samples)), HasSubstr("multisampled"));
}

TEST(Histories, OfOnePassAreOneState) {
    const std::vector<HistoryInfo> before = {numbers("flow/state"), numbers("flow/age"),
                                             numbers("flow/dye/state"), numbers("other/age"),
                                             numbers("age")};
    std::vector<HistoryInfo> now = before;
    now[0] = numbers("flow/state", 8);
    const HistoryMatch match = match_histories(before, now);
    EXPECT_THAT(match.same, ElementsAre(Pair(2, 2), Pair(3, 3), Pair(4, 4)));
    ASSERT_THAT(match.restarted, SizeIs(1));
    EXPECT_THAT(match.restarted[0].hint, HasSubstr("all histories of 'flow'"));
    // Those of the config itself have nothing in common.
    EXPECT_THAT(
        match_histories({{numbers("a"), numbers("b")}}, {{numbers("a", 8), numbers("b")}}).same,
        ElementsAre(Pair(1, 1)));
}

} // namespace
} // namespace tuff
