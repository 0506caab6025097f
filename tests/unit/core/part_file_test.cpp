// Files of fields that ranks write in parts.

#include "core/part_file.hpp"
#include "tests/common/test_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <vector>

namespace tuff {
namespace {

struct Case {
    FieldPart part;
    std::array<std::uint32_t, 3> grid;
};
using enum FieldEnd;
const std::vector<Case> kCases = {
    {{.cells = {7, 5, 3}, .halo = {1, 1, 1}}, {1, 1, 1}},
    {{.cells = {7, 5, 3}, .halo = {1, 1, 0}}, {3, 2, 1}},
    {{.cells = {4, 3, 2}, .halo = {2, 3, 1}}, {4, 3, 2}}, // a cell a rank
    {{.cells = {5, 1, 6}, .halo = {0, 2, 4}}, {2, 1, 4}},
    {{.cells = {7, 5, 3}, .halo = {2, 1, 0}, .ends = {joined, unread, joined}}, {3, 2, 1}},
    {{.cells = {5, 4, 3}, .halo = {3, 6, 7}, .ends = {unread, joined, joined}}, {2, 4, 3}},
    {{.cells = {5, 4, 6}, .halo = {1, 0, 2}, .ends = {joined, kept, unread}, .fine = {2, 3, 1}},
     {2, 1, 4}}};

/// A number for each element of the field, with its halo where that is kept.
std::vector<std::uint32_t> numbers_of(const FieldPart& part) {
    const auto whole = part.whole();
    std::vector<std::uint32_t> numbers(std::size_t{whole[0]} * whole[1] * whole[2]);
    std::iota(numbers.begin(), numbers.end(), 1u);
    return numbers;
}

/// Where the whole field has element `at` of those that a rank holds along an axis; negative:
/// nowhere.
int place_in_whole(const FieldPart& part, const Ranks& ranks, std::size_t axis, std::uint32_t at) {
    const auto fine = static_cast<int>(part.fine[axis]);
    const int halo = fine * static_cast<int>(part.halo[axis]);
    const int cells = fine * static_cast<int>(part.cells[axis]);
    const int first = fine * static_cast<int>(ranks.part(part.cells)[axis].first);
    const int place = first - halo + static_cast<int>(at);
    if (part.ends[axis] == kept) return place + halo;
    if (part.ends[axis] == joined) return ((place % cells) + cells) % cells;
    return place < cells ? place : -1;
}

/// What a rank holds of it, 0 where that is nowhere.
std::vector<std::uint32_t> held_of(const FieldPart& part, const Ranks& ranks,
                                   const std::vector<std::uint32_t>& numbers) {
    const auto size = part.size(ranks, ranks.rank);
    const auto whole = part.whole();
    std::vector<std::uint32_t> held;
    for (std::uint32_t z = 0; z < size[2]; ++z)
        for (std::uint32_t y = 0; y < size[1]; ++y)
            for (std::uint32_t x = 0; x < size[0]; ++x) {
                const int at_x = place_in_whole(part, ranks, 0, x);
                const int at_y = place_in_whole(part, ranks, 1, y);
                const int at_z = place_in_whole(part, ranks, 2, z);
                const bool exists = at_x >= 0 && at_y >= 0 && at_z >= 0;
                const auto index =
                    at_x + static_cast<int>(whole[0]) * (at_y + static_cast<int>(whole[1]) * at_z);
                held.push_back(exists ? numbers[static_cast<std::size_t>(index)] : 0u);
            }
    return held;
}

std::vector<std::uint32_t> contents_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    std::vector<std::uint32_t> numbers(bytes.size() / 4);
    std::memcpy(numbers.data(), bytes.data(), numbers.size() * 4);
    return numbers;
}

TEST(PartFiles, AreTheWholeWithHaloInWhateverOrderRanksWrite) {
    const auto folder = test::empty_folder();
    for (const Case& of : kCases) {
        const FieldPart& part = of.part;
        const std::vector<std::uint32_t> numbers = numbers_of(part);
        const auto file = folder / "whole.bin";
        std::filesystem::remove(file);
        ASSERT_FALSE(make_room(file, numbers.size() * 4));
        Ranks ranks{.grid = of.grid};
        std::vector<int> times(numbers.size(), 0);
        for (ranks.rank = ranks.size(); ranks.rank-- > 0;) {
            std::vector<std::uint32_t> held = held_of(part, ranks, numbers);
            const CellPlaces kept = cells_to_keep(part, ranks);
            ASSERT_EQ(kept.held_cells(), held.size());
            // What another rank writes is wrong here.
            std::vector<std::uint32_t> mine(held.size(), 0u);
            for (std::uint32_t z = 0; z < kept.count[2]; ++z)
                for (std::uint32_t y = 0; y < kept.count[1]; ++y)
                    for (std::uint32_t x = 0; x < kept.count[0]; ++x) {
                        const std::size_t at =
                            kept.in_memory[0] + x +
                            std::size_t{kept.held[0]} *
                                (kept.in_memory[1] + y +
                                 std::size_t{kept.held[1]} * (kept.in_memory[2] + z));
                        mine[at] = held[at];
                        ++times[held[at] - 1];
                    }
            ASSERT_FALSE(write_cells(file, 0, std::as_bytes(std::span(mine)), kept, 4));
        }
        EXPECT_THAT(times, testing::Each(1));
        EXPECT_EQ(contents_of(file), numbers);
        // Any other number of ranks reads it.
        for (const auto& grid : {std::array<std::uint32_t, 3>{1, 1, 1}, of.grid}) {
            Ranks readers{.grid = grid};
            for (; readers.rank < readers.size(); ++readers.rank) {
                std::vector<std::uint32_t> wanted = held_of(part, readers, numbers);
                std::vector<std::uint32_t> got(wanted.size());
                for (const CellPlaces& box : cells_held(part, readers))
                    ASSERT_FALSE(
                        read_cells(file, 0, std::as_writable_bytes(std::span(got)), box, 4));
                EXPECT_EQ(got, wanted);
            }
        }
    }
}

TEST(PartFiles, BeginWhereTheyAreToldAndHaveNoHaloOfRanks) {
    const auto folder = test::empty_folder();
    for (const Case& of : kCases) {
        const FieldPart& part = of.part;
        const FieldPart bare{.cells = part.cells, .fine = part.fine};
        const std::vector<std::uint32_t> numbers = numbers_of(bare);
        const auto file = folder / "cells.bin";
        std::filesystem::remove(file);
        ASSERT_FALSE(make_room(file, 12 + numbers.size() * 4));
        Ranks ranks{.grid = of.grid};
        for (; ranks.rank < ranks.size(); ++ranks.rank) {
            const CellPlaces own = cells_of_rank(part, ranks);
            const std::vector<std::uint32_t> cells = held_of(bare, ranks, numbers);
            std::vector<std::uint32_t> held(own.held_cells(), 0xffffffffu); // the halo's
            std::size_t next = 0;
            for (std::uint32_t z = 0; z < own.count[2]; ++z)
                for (std::uint32_t y = 0; y < own.count[1]; ++y)
                    for (std::uint32_t x = 0; x < own.count[0]; ++x)
                        held[own.in_memory[0] + x +
                             std::size_t{own.held[0]} *
                                 (own.in_memory[1] + y +
                                  std::size_t{own.held[1]} * (own.in_memory[2] + z))] =
                            cells[next++];
            ASSERT_FALSE(write_cells(file, 12, std::as_bytes(std::span(held)), own, 4));
        }
        std::vector<std::uint32_t> expected = {0, 0, 0};
        expected.insert(expected.end(), numbers.begin(), numbers.end());
        EXPECT_EQ(contents_of(file), expected);
    }
}

TEST(PartFiles, FailWhereTheFileIsThereTooShortOrMissing) {
    const auto file = test::empty_folder() / "short.bin";
    ASSERT_FALSE(make_room(file, 8));
    EXPECT_TRUE(make_room(file, 8));
    const CellPlaces places{.held = {4, 1, 1}, .whole = {4, 1, 1}, .count = {4, 1, 1}};
    std::array<std::byte, 16> memory{};
    EXPECT_EQ(read_cells(file, 0, memory, places, 4), std::errc::io_error);
    EXPECT_TRUE(read_cells(file / "none", 0, memory, places, 4));
    EXPECT_TRUE(write_cells(file / "none", 0, memory, places, 4));
}

} // namespace
} // namespace tuff
