#include <tuff/scene_resources.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// Mips of images whose alpha cuts things away.
namespace tuff {
namespace {

constexpr std::uint32_t kMaskSide = 32;
constexpr float kMaskCutoff = 0.5f;

/// Lines of one texel that are there, three of four cut away.
HostImage lines() {
    HostImage image = make_image(Format::rgba8_unorm, {kMaskSide, kMaskSide, 1});
    for (std::uint32_t y = 0; y < kMaskSide; ++y)
        for (std::uint32_t x = 0; x < kMaskSide; ++x)
            image.set_texel({0.2f, 0.4f, 0.6f, x % 4 == 1 ? 1.0f : 0.0f}, x, y);
    return image;
}

SceneMaterial masked(float cutoff = kMaskCutoff, float alpha = 1.0f) {
    SceneMaterial material;
    material.alpha_mode = AlphaMode::mask;
    material.alpha_cutoff = cutoff;
    material.base_color.a = alpha;
    material.base_color_texture.texture = 0;
    return material;
}

SceneAsset pack(std::vector<SceneMaterial> materials) {
    SceneData scene;
    scene.images.push_back(lines());
    scene.textures.push_back({.image = 0});
    scene.materials = std::move(materials);
    return pack_scene(std::move(scene));
}

/// The share of a level's texels whose alpha is not below the cutoff.
double share_in(const SceneAsset& asset, std::uint32_t level, float cutoff = kMaskCutoff) {
    std::size_t first = 0;
    for (std::uint32_t l = 0; l < level; ++l)
        first += std::size_t{kMaskSide >> l} * (kMaskSide >> l);
    const std::size_t count = std::size_t{kMaskSide >> level} * (kMaskSide >> level);
    std::size_t kept = 0;
    for (std::size_t i = first; i < first + count; ++i)
        kept += std::to_integer<int>((*asset.images[0])[4 * i + 3]) >=
                static_cast<int>(std::ceil(cutoff * 255.0f));
    return static_cast<double>(kept) / static_cast<double>(count);
}

TEST(MaskMips, AtLeastAsMuchIsThereAtEveryLevel) {
    const SceneAsset asset = pack({masked()});
    EXPECT_EQ(share_in(asset, 0), 0.25);
    EXPECT_EQ(share_in(asset, 1), 0.5); // every other texel holds half a line: both or none
    for (std::uint32_t level = 2; level <= 5; ++level)
        EXPECT_EQ(share_in(asset, level), 1.0) << level; // all are the same: all or none
}

// Of noise there is a choice: the share stays.
TEST(MaskMips, TheShareOfNoiseStays) {
    SceneData scene;
    HostImage image = make_image(Format::rgba8_unorm, {kMaskSide, kMaskSide, 1});
    std::uint32_t state = 1;
    for (std::uint32_t i = 0; i < kMaskSide * kMaskSide; ++i) {
        state = state * 1664525u + 1013904223u;
        image.set_texel({1, 1, 1, (state >> 24u) < 64u ? 1.0f : 0.1f}, i % kMaskSide,
                        i / kMaskSide);
    }
    scene.images.push_back(image);
    scene.textures.push_back({.image = 0});
    scene.materials.push_back(masked());
    const SceneAsset asset = pack_scene(std::move(scene));
    const double share = share_in(asset, 0);
    EXPECT_NEAR(share, 0.25, 0.05);
    for (std::uint32_t level = 3; level <= 4; ++level) // few texels are as bright as another
        EXPECT_NEAR(share_in(asset, level), share, 0.3) << level;
    for (std::uint32_t level = 1; level <= 5; ++level)
        EXPECT_GE(share_in(asset, level), share) << level;
}

TEST(MaskMips, ColoursAndTheFinestLevelStayAsTheyAre) {
    const SceneAsset cut = pack({masked()});
    SceneMaterial opaque = masked();
    opaque.alpha_mode = AlphaMode::opaque;
    const SceneAsset plain = pack({opaque});
    ASSERT_EQ(cut.images[0]->size(), plain.images[0]->size());
    for (std::size_t i = 0; i < cut.images[0]->size(); ++i) {
        if (i % 4 == 3 && i >= 4ull * kMaskSide * kMaskSide) continue;
        ASSERT_EQ((*cut.images[0])[i], (*plain.images[0])[i]) << i;
    }
    EXPECT_NE(*cut.images[0], *plain.images[0]);
    EXPECT_EQ(share_in(plain, 2), 0.0); // the mean of the lines is below the cutoff
}

// What others see must not change for the mask's sake.
TEST(MaskMips, ImagesWithOtherUsesAreAveraged) {
    SceneMaterial opaque = masked();
    opaque.alpha_mode = AlphaMode::opaque;
    const SceneAsset plain = pack({opaque});
    SceneMaterial as_occlusion = masked();
    as_occlusion.occlusion_texture.texture = 0;
    SceneMaterial blended = masked();
    blended.alpha_mode = AlphaMode::blend;
    EXPECT_EQ(*pack({masked(), opaque}).images[0], *plain.images[0]);
    EXPECT_EQ(*pack({masked(), blended}).images[0], *plain.images[0]);
    EXPECT_EQ(*pack({as_occlusion}).images[0], *plain.images[0]);
    EXPECT_EQ(*pack({masked(0.5f), masked(0.3f)}).images[0], *plain.images[0]);
    for (const float cutoff : {0.0f, 1.5f}) // all is there, or nothing
        EXPECT_EQ(*pack({masked(cutoff)}).images[0], *plain.images[0]) << cutoff;
    EXPECT_EQ(*pack({masked(0.5f, 0.0f)}).images[0], *plain.images[0]);
}

TEST(MaskMips, TheMaterialsAlphaCounts) {
    EXPECT_EQ(*pack({masked(0.4f, 0.5f)}).images[0], *pack({masked(0.8f, 1.0f)}).images[0]);
    EXPECT_EQ(share_in(pack({masked(0.4f, 0.5f)}), 1, 0.8f), 0.5);
}

} // namespace
} // namespace tuff
