#include "tests/common/test_folder.hpp"

#include <tuff/volume.hpp>

#include <gtest/gtest.h>
#ifdef TUFF_TEST_NANOVDB
#define NANOVDB_USE_ZIP
#include <nanovdb/util/GridBuilder.h>
#include <nanovdb/util/IO.h>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

/// Volumes as NanoVDB (.nvdb).
namespace tuff {
namespace {

class NanovdbFiles : public testing::Test {
  protected:
    NanovdbFiles() : folder_(test::empty_folder()) {}
    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    std::string refusal(const std::string& name, const VolumeLoadOptions& options = {}) const {
        const auto volume = load_volume(file(name), options);
        if (volume) return "read";
        EXPECT_FALSE(volume.error()[0].hint.empty());
        return volume.error()[0].code;
    }
    std::filesystem::path folder_;
};

#ifndef TUFF_TEST_NANOVDB

TEST_F(NanovdbFiles, WithoutTheLibraryTheyAreRefused) {
    std::ofstream(file("v.nvdb"), std::ios::binary) << "NanoVDB0 and what follows";
    EXPECT_EQ(refusal("v.nvdb"), "volume/no-library");
    const auto saved = save_volume(file("w.nvdb"), make_image(Format::r32_sfloat, {4, 4, 4}));
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error()[0].code, "volume/no-library");
    EXPECT_FALSE(std::filesystem::exists(file("w.nvdb")));
}

#else

/// Mostly zeros, as smoke is, with all that a float can be.
HostImage sparse_volume(Format format, Extent extent) {
    HostImage image = make_image(format, extent);
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr std::array kSpecial = {-0.0f, 1e-42f, kInfinity, -kInfinity, 3.4e38f, std::nanf("7")};
    std::uint32_t random = 99;
    for (std::size_t at = 0; at < image.texels.size() / 4; ++at) {
        random = random * 1664525u + 1013904223u;
        if ((random >> 28) != 3) continue;
        const float value = at % 7 == 0 ? kSpecial[at / 7 % kSpecial.size()]
                                        : static_cast<float>(random >> 8) / 1024.0f - 5000.0f;
        std::memcpy(&image.texels[4 * at], &value, 4);
    }
    return image;
}

TEST_F(NanovdbFiles, FloatsComeBackToTheBitWithSizeAndPlace) {
    VolumeGeometry geometry{.spacing = {0.1, 0.25, 2.0}, .origin = {-10.0, 4.5, 1.0 / 3.0}};
    for (const Format format : {Format::r32_sfloat, Format::rgba32_sfloat})
        for (const Extent extent : {Extent{5, 4, 3}, Extent{40, 17, 9}, Extent{1, 1, 1}}) {
            const HostImage volume = sparse_volume(format, extent);
            const auto saved = save_volume(file("v.nvdb"), volume, geometry, "smoke");
            ASSERT_TRUE(saved) << to_string(saved.error());
            const auto back = load_volume(file("v.nvdb"));
            ASSERT_TRUE(back) << to_string(back.error());
            EXPECT_EQ(back->image.format, format);
            EXPECT_EQ(back->image.extent, extent);
            EXPECT_TRUE(back->image.texels == volume.texels);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                EXPECT_DOUBLE_EQ(back->geometry.spacing[axis], geometry.spacing[axis]);
                EXPECT_DOUBLE_EQ(back->geometry.origin[axis], geometry.origin[axis]);
            }
            EXPECT_TRUE(back->warnings.empty());
            EXPECT_EQ(refusal("v.nvdb", {.array = "smoke"}), "read");
            EXPECT_EQ(refusal("v.nvdb", {.array = "fire"}), "volume/no-such-array");
        }
    // The library sees the same numbers.
    const HostImage volume = sparse_volume(Format::r32_sfloat, {40, 17, 9});
    ASSERT_TRUE(save_volume(file("v.nvdb"), volume, geometry, "smoke"));
    const auto handle = nanovdb::io::readGrid(file("v.nvdb"));
    const auto* grid = handle.grid<float>();
    ASSERT_TRUE(grid);
    EXPECT_EQ(std::string(grid->gridName()), "smoke");
    const auto accessor = grid->getAccessor();
    for (int i = 0; i < 40 * 17 * 9; ++i) {
        const float value = accessor.getValue(nanovdb::Coord(i % 40, i / 40 % 17, i / 40 / 17));
        ASSERT_EQ(std::memcmp(&value, &volume.texels[std::size_t(4 * i)], 4), 0) << i;
    }
    EXPECT_LT(grid->activeVoxelCount(), 40u * 17 * 9 / 4);
}

TEST_F(NanovdbFiles, GridsOfTheLibraryAreTheBoxAroundTheirActiveTexels) {
    nanovdb::GridBuilder<float> first(0.0f);
    first.getAccessor().setValue(nanovdb::Coord(1, 1, 1), 4.0f);
    nanovdb::GridBuilder<float> second(0.25f); // what is not active
    auto accessor = second.getAccessor();
    accessor.setValue(nanovdb::Coord(-3, 10, 200), 1.5f);
    accessor.setValue(nanovdb::Coord(-1, 10, 201), -2.0f);
    nanovdb::GridBuilder<nanovdb::Vec3f> third(nanovdb::Vec3f(0.0f));
    third.getAccessor().setValue(nanovdb::Coord(0, 0, 0), nanovdb::Vec3f(1.0f, 2.0f, 3.0f));
    std::vector<nanovdb::GridHandle<>> grids;
    grids.push_back(first.getHandle(1.0, nanovdb::Vec3d(0.0), "first"));
    grids.push_back(second.getHandle(0.5, nanovdb::Vec3d(7.0, 0.0, -1.0), "second"));
    grids.push_back(third.getHandle(1.0, nanovdb::Vec3d(0.0), "third"));
    for (const auto codec : {nanovdb::io::Codec::NONE, nanovdb::io::Codec::ZIP}) {
        nanovdb::io::writeGrids(file("l.nvdb"), grids, codec);
        const auto volume = load_volume(file("l.nvdb"), {.array = "second"});
        ASSERT_TRUE(volume) << to_string(volume.error());
        EXPECT_EQ(volume->image.extent, (Extent{3, 1, 2}));
        std::array<float, 6> numbers{};
        ASSERT_EQ(volume->image.texels.size(), sizeof numbers);
        std::memcpy(numbers.data(), volume->image.texels.data(), sizeof numbers);
        EXPECT_EQ(numbers, (std::array{1.5f, 0.25f, 0.25f, 0.25f, 0.25f, -2.0f}));
        EXPECT_DOUBLE_EQ(volume->geometry.spacing[0], 0.5);
        EXPECT_DOUBLE_EQ(volume->geometry.origin[0], 7.0 - 1.5);
        EXPECT_DOUBLE_EQ(volume->geometry.origin[2], -1.0 + 100.0);
        const auto vectors = load_volume(file("l.nvdb"), {.array = "third"});
        ASSERT_TRUE(vectors);
        EXPECT_EQ(vectors->image.texel(0, 0), (std::array{1.0f, 2.0f, 3.0f, 1.0f}));
        EXPECT_EQ(refusal("l.nvdb"), "read");
    }
    nanovdb::GridBuilder<float> empty(0.0f);
    nanovdb::io::writeGrid(file("e.nvdb"), empty.getHandle(1.0, nanovdb::Vec3d(0.0), "none"));
    EXPECT_EQ(refusal("e.nvdb"), "volume/empty");
}

TEST_F(NanovdbFiles, DamagedFilesAndOtherFormatsAreRefused) {
    ASSERT_TRUE(save_volume(file("v.nvdb"), sparse_volume(Format::r32_sfloat, {20, 20, 20})));
    std::ifstream stream(file("v.nvdb"), std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(stream), {}};
    for (std::size_t size = 9; size < whole.size(); size += whole.size() / 20 + 1) {
        std::ofstream(file("cut.nvdb"), std::ios::binary) << whole.substr(0, size);
        EXPECT_EQ(refusal("cut.nvdb"), "volume/corrupt") << size;
    }
    // Any byte of the heads may be wrong: what is read then has the checksum, or is refused.
    for (std::size_t at = 8; at < std::min<std::size_t>(whole.size(), 1400); at += 23) {
        std::string wrong = whole;
        wrong[at] = static_cast<char>(wrong[at] ^ 0xa5);
        std::ofstream(file("wrong.nvdb"), std::ios::binary) << wrong;
        const std::string code = refusal("wrong.nvdb");
        EXPECT_TRUE(code == "read" || code.starts_with("volume/")) << at << " " << code;
    }
    // Somewhere in the numbers.
    std::string flipped = whole;
    flipped[whole.size() - 100] = static_cast<char>(flipped[whole.size() - 100] ^ 0x40);
    std::ofstream(file("flip.nvdb"), std::ios::binary) << flipped;
    EXPECT_EQ(refusal("flip.nvdb"), "volume/corrupt");
    for (const Format format : {Format::r8_unorm, Format::r32_uint, Format::rg32_sfloat}) {
        const auto saved = save_volume(file("f.nvdb"), make_image(format, {4, 4, 4}));
        ASSERT_FALSE(saved);
        EXPECT_EQ(saved.error()[0].code, "image/unsupported");
        EXPECT_FALSE(std::filesystem::exists(file("f.nvdb")));
    }
}

#endif

} // namespace
} // namespace tuff
