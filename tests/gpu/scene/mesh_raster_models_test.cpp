#include "tests/gpu/scene/mesh_raster_fixture.hpp"

#include <tuff/assets.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>

/// Real files through scene/mesh_raster.
namespace tuff {
namespace {

class MeshRasterModels : public MeshRasterTest, public testing::WithParamInterface<const char*> {};

TEST_P(MeshRasterModels, GivesAPictureWithLightAndShade) {
    const auto path = find_asset(std::string("assimp/models/glTF2/") + GetParam());
    if (!path) GTEST_SKIP() << to_string(path.error());
    auto scene = load_gltf(*path);
    ASSERT_TRUE(scene) << to_string(scene.error());
    passes::MeshRaster pass;
    pass.width = 48;
    pass.height = 32;
    pass.sun.shadow_size = 256;
    const Rendered picture = render(std::move(*scene), pass);
    ASSERT_FALSE(picture.empty());
    double sum = 0.0;
    double squares = 0.0;
    double drawn = 0.0;
    for (std::uint32_t y = 0; y < 32; ++y)
        for (std::uint32_t x = 0; x < 48; ++x) {
            const glm::dvec3 texel = picture.texel(x, y);
            for (int c = 0; c < 3; ++c) {
                ASSERT_TRUE(std::isfinite(texel[c])) << x << ", " << y;
                ASSERT_GE(texel[c], 0.0) << x << ", " << y;
            }
            const double grey = (texel.x + texel.y + texel.z) / 3.0;
            sum += grey / (48 * 32);
            squares += grey * grey / (48 * 32);
            drawn += picture.depth.texel(x, y)[0] < 1.0f;
        }
    EXPECT_GT(drawn, 48 * 32 / 20) << "next to nothing is drawn";
    EXPECT_GT(sum, 0.01) << "black";
    EXPECT_LT(sum, 2.0) << "glaring";
    EXPECT_GT(squares - sum * sum, 1e-4) << "all texels are alike";
}

std::string test_name(const testing::TestParamInfo<const char*>& info) {
    std::string name = std::filesystem::path(info.param).parent_path().string();
    std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
    return name;
}

INSTANTIATE_TEST_SUITE_P(Files, MeshRasterModels,
                         testing::Values("2CylinderEngine-glTF-Binary/2CylinderEngine.glb",
                                         "BoxBadNormals-glTF-Binary/BoxBadNormals.glb",
                                         "BoxTexcoords-glTF/boxTexcoords.gltf",
                                         "BoxTextured-glTF-Binary/BoxTextured.glb",
                                         "BoxTextured-glTF-Embedded/BoxTextured.gltf",
                                         "BoxTextured-glTF-pbrSpecularGlossiness/BoxTextured.gltf",
                                         "BoxTextured-glTF/BoxTextured.gltf",
                                         "ClearCoat-glTF/ClearCoatTest.gltf",
                                         "cameras/Cameras.gltf",
                                         "glTF-Sample-Models/AnimatedMorphCube-glTF/"
                                         "AnimatedMorphCube.gltf",
                                         "issue_3269/texcoord_crash.gltf",
                                         "simple_skin/simple_skin.gltf",
                                         "textureTransform/TextureTransformTest.gltf"),
                         test_name);

} // namespace
} // namespace tuff
