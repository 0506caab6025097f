// Boxes of cells of arrays, packed and unpacked, and from one array to another.

#include "passes/mpi/boxes.hpp"
#include "passes/mpi/division.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <numeric>
#include <vector>

namespace tuff {
namespace {

using passes::CellArray;
using passes::Cells;
using passes::count_of;
using passes::TexelBox;
using testing_gpu::bytes_of;
using testing_gpu::Running;

using Words = std::vector<std::uint32_t>;

/// An array, and boxes in it.
struct ArrayCase {
    Cells size;
    std::uint32_t words = 1;
    std::vector<TexelBox> boxes;
};
// Rows of 4 words and more, of 2, and of 1; rows that follow each other, and slices; a single cell.
const ArrayCase kArrays[] = {
    {{8, 5, 3}, 1, {{{0, 1, 0}, {8, 2, 3}}, {{4, 0, 1}, {4, 5, 2}}}},
    {{8, 5, 3}, 1, {{{0, 0, 1}, {8, 5, 2}}}},
    {{6, 5, 3}, 1, {{{2, 1, 1}, {4, 3, 2}}, {{0, 0, 0}, {6, 2, 1}}}},
    {{7, 5, 3}, 1, {{{3, 1, 0}, {4, 3, 3}}, {{0, 4, 2}, {1, 1, 1}}, {{1, 0, 0}, {5, 1, 3}}}},
    {{7, 5, 3}, 2, {{{3, 1, 0}, {3, 3, 3}}, {{0, 4, 2}, {1, 1, 1}}}},
    {{6, 4, 3}, 2, {{{2, 1, 0}, {4, 3, 3}}, {{0, 0, 2}, {6, 4, 1}}}},
    {{5, 3, 2}, 3, {{{1, 0, 0}, {2, 3, 2}}, {{4, 1, 1}, {1, 2, 1}}}},
    {{5, 3, 2}, 4, {{{1, 0, 0}, {2, 3, 2}}, {{4, 1, 1}, {1, 2, 1}}}},
    {{1, 1, 9}, 1, {{{0, 0, 2}, {1, 1, 5}}}},
    {{301, 40, 9}, 1, {{{0, 2, 1}, {301, 37, 7}}, {{0, 0, 0}, {3, 40, 9}}}},
};

/// The indices of the words of a box, in the order in which they are packed.
Words words_of(const Cells& array, std::uint32_t words, const TexelBox& box) {
    Words indices;
    for (std::uint32_t z = 0; z < box.size[2]; ++z)
        for (std::uint32_t y = 0; y < box.size[1]; ++y)
            for (std::uint32_t x = 0; x < box.size[0]; ++x)
                for (std::uint32_t word = 0; word < words; ++word) {
                    const std::uint32_t row = (box.corner[2] + z) * array[1] + box.corner[1] + y;
                    indices.push_back((row * array[0] + box.corner[0] + x) * words + word);
                }
    return indices;
}

class BoxesOfArrays : public testing_gpu::GpuTest {
  protected:
    static CellArray array_of(Graph& g, std::string_view name, const Cells& size,
                              std::uint32_t words, std::uint32_t first) {
        Words values(count_of(size) * words);
        std::iota(values.begin(), values.end(), first);
        const BufferDesc desc{.size = 4 * values.size(), .stride = 4 * words};
        return {g.constant_buffer(name, desc, bytes_of(values)), size, words};
    }
};

TEST_F(BoxesOfArrays, ArePackedBoxByBoxAndUnpacked) {
    constexpr std::uint32_t kMark = 1'000'000;
    for (const auto& [size, words, boxes] : kArrays) {
        Graph g = graph();
        const Buffer packed =
            passes::pack_boxes(g, "pack", array_of(g, "source", size, words, 0), boxes);
        CellArray target = array_of(g, "target", size, words, kMark);
        target.buffer = g.copy(target.buffer, g.buffer("copy", g.desc(target.buffer)));
        g.output("packed", packed);
        g.output("unpacked", passes::unpack_boxes(g, "unpack", packed, target, boxes).buffer);
        Running running = run(std::move(g));

        Words expected;
        Words unpacked(count_of(size) * words);
        std::iota(unpacked.begin(), unpacked.end(), kMark);
        for (const TexelBox& box : boxes)
            for (const std::uint32_t index : words_of(size, words, box)) {
                expected.push_back(index);
                unpacked[index] = index;
            }
        const std::string where =
            fmt::format("{}x{}x{} cells of {} words", size[0], size[1], size[2], words);
        EXPECT_EQ(running.buffer<std::uint32_t>("packed"), expected) << where;
        EXPECT_EQ(running.buffer<std::uint32_t>("unpacked"), unpacked) << where;
    }
}

/// Into an array with a cell more along each axis, and into one with a halo of two.
TEST_F(BoxesOfArrays, GoIntoArraysOfOtherSizes) {
    constexpr std::uint32_t kMark = 1'000'000;
    for (const auto& [size, words, boxes] : kArrays)
        for (const std::uint32_t more : {1u, 4u}) {
            Graph g = graph();
            const Cells larger{size[0] + more, size[1] + more, size[2] + more};
            const std::uint32_t shift = more / 2;
            std::vector<TexelBox> to = boxes;
            for (TexelBox& box : to)
                for (std::uint32_t& corner : box.corner)
                    corner += shift;
            CellArray target = array_of(g, "target", larger, words, kMark);
            target.buffer = g.copy(target.buffer, g.buffer("copy", g.desc(target.buffer)));
            const CellArray source = array_of(g, "source", size, words, 0);
            g.output("copied",
                     passes::copy_boxes(g, "copy_boxes", source, boxes, target, to).buffer);
            Running running = run(std::move(g));

            Words expected(count_of(larger) * words);
            std::iota(expected.begin(), expected.end(), kMark);
            for (std::size_t i = 0; i < boxes.size(); ++i) {
                const Words from = words_of(size, words, boxes[i]);
                const Words there = words_of(larger, words, to[i]);
                for (std::size_t k = 0; k < from.size(); ++k)
                    expected[there[k]] = from[k];
            }
            EXPECT_EQ(running.buffer<std::uint32_t>("copied"), expected) << fmt::format(
                "{}x{}x{} cells of {} words, {} more", size[0], size[1], size[2], words, more);
        }
}

} // namespace
} // namespace tuff
