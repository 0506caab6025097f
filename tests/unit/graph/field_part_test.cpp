// Images and buffers that are parts of a field.

#include "fake_shaders.hpp"

#include <tuff/graph.hpp>
#include <tuff/history.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tuff {
namespace {

class FieldParts : public testing::Test {
  protected:
    FieldParts() { graph_.set_ranks({.grid = {2, 1, 1}, .rank = 1}); }
    std::vector<std::string> codes() const {
        std::vector<std::string> found;
        for (const Diagnostic& problem : graph_.peek().diagnostics)
            found.push_back(problem.code);
        return found;
    }
    static constexpr FieldPart kPart{.cells = {5, 3, 1}, .halo = {1, 2, 0}};
    test::FakeShaders shaders_{{}};
    Graph graph_{shaders_};
};

TEST_F(FieldParts, AreOfAllCopiesOfAHistory) {
    const ImageHistory image =
        graph_.history_image("image", {.format = Format::r32_sfloat, .extent = {4, 7}}, 2);
    graph_.set_part(image.previous[1], kPart);
    const BufferHistory buffer = graph_.history_buffer("buffer", {.size = 4 * 7 * 8, .stride = 8});
    graph_.set_part(buffer.current, kPart);
    EXPECT_THAT(codes(), testing::IsEmpty());
    for (const ResourceDesc& resource : graph_.peek().resources)
        EXPECT_EQ(resource.part, kPart);
}

TEST_F(FieldParts, HaveTheSizeOfThePartWithItsHalo) {
    EXPECT_EQ(kPart.size({.grid = {2, 1, 1}, .rank = 1}, 0),
              (std::array<std::uint32_t, 3>{5, 7, 1}));
    EXPECT_EQ(kPart.whole(), (std::array<std::uint32_t, 3>{7, 7, 1}));
    graph_.set_part(graph_.image("other", {.extent = {5, 7}}), kPart);
    graph_.set_part(graph_.image("mips", {.extent = {4, 7}, .mips = 2}), kPart);
    graph_.set_part(graph_.buffer("odd", {.size = 4 * 7 * 8 + 4}), kPart);
    EXPECT_THAT(codes(), testing::ElementsAre("mpi/part-size", "mpi/part-size", "mpi/part-size"));
    EXPECT_THAT(graph_.peek().diagnostics[0].message,
                testing::HasSubstr("5x7x1 texels, but the part of rank 1 with its halo has 4x7x1"));
    for (const ResourceDesc& resource : graph_.peek().resources)
        EXPECT_FALSE(resource.part);
}

TEST_F(FieldParts, MayHaveSeveralArraysAndElementsOfACell) {
    constexpr FieldPart kFine{.cells = {5, 3, 1},
                              .halo = {1, 2, 0},
                              .ends = {FieldEnd::joined, FieldEnd::kept, FieldEnd::unread},
                              .fine = {2, 3, 1},
                              .arrays = 2};
    EXPECT_EQ(kFine.size({.grid = {2, 1, 1}, .rank = 1}, 0),
              (std::array<std::uint32_t, 3>{10, 21, 1}));
    EXPECT_EQ(kFine.whole(), (std::array<std::uint32_t, 3>{10, 21, 1}));
    graph_.set_part(graph_.buffer("two", {.size = 2 * 8 * 21 * 4}), kFine);
    EXPECT_THAT(codes(), testing::IsEmpty());
    graph_.set_part(graph_.buffer("odd", {.size = 8 * 21}), kFine);
    EXPECT_THAT(codes(), testing::ElementsAre("mpi/part-size"));
}

TEST_F(FieldParts, NeedACellForEachRank) {
    graph_.set_part(graph_.image("image", {.extent = {4, 7}}), {.cells = {1, 3, 1}});
    EXPECT_THAT(codes(), testing::ElementsAre("mpi/too-many-ranks"));
}

} // namespace
} // namespace tuff
