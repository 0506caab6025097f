#include <tuff/assets.hpp>
#include <tuff/scene.hpp>

#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace tuff {
namespace {

struct Expected {
    const char* file;
    const char* error; ///< empty: it loads
    std::uint64_t triangles = 0;
    std::size_t draws = 0;
    std::size_t textures = 0;
    const char* warning = ""; ///< code of a warning; empty: none
};

// Every glTF file of the package. The hostile ones are what they are named after.
const Expected kModels[] = {
    {"glTF/BoxTextured-glTF-Binary/BoxTextured.glb", "gltf/unsupported-version"},
    {"glTF/BoxTextured-glTF-Embedded/BoxTextured.gltf", "gltf/unsupported-version"},
    {"glTF/BoxTextured-glTF-MaterialsCommon/BoxTextured.gltf", "gltf/unsupported-version"},
    {"glTF/BoxTextured-glTF/BoxTextured.gltf", "gltf/unsupported-version"},
    {"glTF/CesiumMilkTruck/CesiumMilkTruck.gltf", "gltf/unsupported-version"},
    {"glTF/IncorrectVertexArrays/Cube_v1.gltf", "gltf/unsupported-version"},
    {"glTF/TwoBoxes/TwoBoxes.gltf", "gltf/unsupported-version"},
    {"glTF2/2CylinderEngine-glTF-Binary/2CylinderEngine.glb", "", 121496, 115, 0},
    {"glTF2/BoxBadNormals-glTF-Binary/BoxBadNormals.glb", "", 12, 1, 0, "gltf/bad-normals"},
    {"glTF2/BoxTexcoords-glTF/boxTexcoords.gltf", "", 12, 1, 2},
    {"glTF2/BoxTextured-glTF-Binary/BoxTextured.glb", "", 12, 1, 1},
    {"glTF2/BoxTextured-glTF-Embedded/BoxTextured.gltf", "", 12, 1, 1},
    {"glTF2/BoxTextured-glTF-pbrSpecularGlossiness/BoxTextured.gltf", "", 12, 1, 1,
     "gltf/unsupported-extension"},
    {"glTF2/BoxTextured-glTF-techniqueWebGL/BoxTextured.gltf", "gltf/unsupported-extension"},
    {"glTF2/BoxTextured-glTF/BoxTextured.gltf", "", 12, 1, 1},
    {"glTF2/BoxWithInfinites-glTF-Binary/BoxWithInfinites.glb", "gltf/not-finite"},
    {"glTF2/ClearCoat-glTF/ClearCoatTest.gltf", "", 37116, 27, 9, "gltf/unsupported-extension"},
    {"glTF2/IncorrectVertexArrays/Cube.gltf", "gltf/schema"},
    {"glTF2/IndexOutOfRange/AllIndicesOutOfRange.gltf", "gltf/index-out-of-range"},
    {"glTF2/IndexOutOfRange/IndexOutOfRange.gltf", "gltf/index-out-of-range"},
    {"glTF2/MissingBin/BoxTextured.gltf", "gltf/missing-file"},
    {"glTF2/RecursiveNodes/RecursiveNodes.gltf", "gltf/node-cycle"},
    {"glTF2/SchemaFailures/sceneWrongType.gltf", "gltf/schema"},
    {"glTF2/TestNoRootNode/NoScene.gltf", "gltf/schema"},
    {"glTF2/TestNoRootNode/SceneWithoutNodes.gltf", "", 0, 0, 0},
    {"glTF2/cameras/Cameras.gltf", "", 2, 1, 0},
    {"glTF2/draco/2CylinderEngine.gltf", "gltf/unsupported-extension"},
    {"glTF2/glTF-Sample-Models/AnimatedMorphCube-glTF/AnimatedMorphCube.gltf", "", 12, 1, 0},
    {"glTF2/issue_3269/texcoord_crash.gltf", "", 10, 5, 1},
    {"glTF2/simple_skin/simple_skin.gltf", "", 8, 1, 0},
    {"glTF2/textureTransform/TextureTransformTest.gltf", "", 24, 12, 5},
    {"glTF2/wrongTypes/badArray.gltf", "gltf/schema"},
    {"glTF2/wrongTypes/badExtension.gltf", "gltf/schema"},
    {"glTF2/wrongTypes/badNumber.gltf", "gltf/schema"},
    {"glTF2/wrongTypes/badObject.gltf", "gltf/schema"},
    {"glTF2/wrongTypes/badString.gltf", "gltf/schema"},
    {"glTF2/wrongTypes/badUint.gltf", "gltf/schema"},
};

Result<std::filesystem::path> model(const std::string& name) {
    return find_asset("assimp/models/" + name);
}

class SampleModels : public testing::TestWithParam<Expected> {};

TEST_P(SampleModels, LoadOrFailAsTheyShould) {
    const Expected& expected = GetParam();
    const auto path = model(expected.file);
    if (!path) GTEST_SKIP() << to_string(path.error());
    const auto scene = load_gltf(*path);
    if (*expected.error) {
        ASSERT_FALSE(scene);
        EXPECT_EQ(scene.error().front().code, expected.error) << to_string(scene.error());
        EXPECT_TRUE(scene.error().front().where.known() ||
                    scene.error().front().message.find(path->string()) != std::string::npos)
            << "the diagnostic names the file";
        return;
    }
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_EQ(scene->triangle_count(), expected.triangles);
    EXPECT_EQ(scene->draws.size(), expected.draws);
    EXPECT_EQ(scene->textures.size(), expected.textures);
    EXPECT_FALSE(has_errors(scene->warnings));
    if (*expected.warning) {
        ASSERT_FALSE(scene->warnings.empty());
        EXPECT_EQ(scene->warnings.front().code, expected.warning);
    } else {
        EXPECT_TRUE(scene->warnings.empty()) << to_string(scene->warnings);
    }
}

TEST_P(SampleModels, EveryIndexStaysInItsArray) {
    const auto path = model(GetParam().file);
    if (!path) GTEST_SKIP() << to_string(path.error());
    const auto scene = load_gltf(*path);
    if (!scene) return;
    for (const SceneDraw& draw : scene->draws) {
        ASSERT_LE(std::size_t{draw.first_index} + draw.index_count, scene->indices.size());
        ASSERT_LE(static_cast<std::size_t>(draw.vertex_offset) + draw.vertex_count,
                  scene->vertices.size());
        ASSERT_LT(draw.material, scene->materials.size());
        ASSERT_LT(draw.transform, scene->transforms.size());
        ASSERT_LT(draw.mesh, scene->mesh_names.size());
        for (std::uint32_t i = 0; i < draw.index_count; ++i)
            ASSERT_LT(scene->indices[draw.first_index + i], draw.vertex_count);
    }
    for (const Vertex& vertex : scene->vertices)
        ASSERT_NEAR(glm::length(vertex.normal), 1.0f, 1e-3f);
    for (const SceneTexture& texture : scene->textures)
        ASSERT_LT(texture.image, scene->images.size());
    EXPECT_EQ(scene->materials.size(), scene->material_names.size());
}

INSTANTIATE_TEST_SUITE_P(Assimp, SampleModels, testing::ValuesIn(kModels));

TEST(CylinderEngine, HasItsKnownCounts) {
    const auto path = model("glTF2/2CylinderEngine-glTF-Binary/2CylinderEngine.glb");
    if (!path) GTEST_SKIP() << to_string(path.error());
    const auto scene = load_gltf(*path);
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_EQ(scene->node_count, 82u);
    EXPECT_EQ(scene->materials.size(), 34u);
    EXPECT_EQ(scene->vertices.size(), 55843u) << "instances share their vertices";
    EXPECT_EQ(scene->cameras.size(), 1u);
    EXPECT_EQ(scene->indices.size() / 3, 75730u);
    EXPECT_EQ(scene->triangle_count(), 121496u);
}

TEST(PrimitiveModes, StripsFansAndListsAreTheSameSquare) {
    for (const char* number : {"04", "05", "06", "11", "12", "13", "14", "15"}) {
        const auto path = model(std::string("glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/"
                                            "Mesh_PrimitiveMode_") +
                                number + ".gltf");
        if (!path) GTEST_SKIP() << to_string(path.error());
        const auto scene = load_gltf(*path);
        ASSERT_TRUE(scene) << to_string(scene.error());
        EXPECT_EQ(scene->triangle_count(), 2u) << number;
        double area = 0.0;
        for (std::size_t i = 0; i < scene->indices.size(); i += 3) {
            const auto at = [&](std::size_t k) { return scene->vertices[scene->indices[i + k]]; };
            const glm::vec3 normal =
                glm::cross(at(1).position - at(0).position, at(2).position - at(0).position);
            EXPECT_NEAR(std::abs(normal.z), 1.0f, 1e-5f);
            EXPECT_NEAR(glm::dot(glm::normalize(normal), at(0).normal), 1.0f, 1e-5f);
            area += 0.5 * static_cast<double>(normal.z);
        }
        EXPECT_NEAR(std::abs(area), 1.0, 1e-5) << number << ": both triangles turn the same way";
    }
    for (const char* number : {"00", "01", "02", "03", "07", "08", "09", "10"}) {
        const auto path = model(std::string("glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/"
                                            "Mesh_PrimitiveMode_") +
                                number + ".gltf");
        ASSERT_TRUE(path);
        const auto scene = load_gltf(*path);
        ASSERT_TRUE(scene);
        EXPECT_TRUE(scene->draws.empty());
        ASSERT_EQ(scene->warnings.size(), 1u);
        EXPECT_EQ(scene->warnings.front().code, "gltf/skipped-primitive");
    }
}

TEST(SampleCameras, BothKindsAreRead) {
    const auto path = model("glTF2/cameras/Cameras.gltf");
    if (!path) GTEST_SKIP() << to_string(path.error());
    const auto scene = load_gltf(*path);
    ASSERT_TRUE(scene) << to_string(scene.error());
    ASSERT_EQ(scene->cameras.size(), 2u);
    EXPECT_EQ(scene->cameras[0].camera.kind, Projection::perspective);
    EXPECT_NEAR(scene->cameras[0].camera.vertical_fov, 40.1f, 0.1f);
    EXPECT_EQ(scene->cameras[1].camera.kind, Projection::orthographic);
    EXPECT_FLOAT_EQ(scene->cameras[0].camera.position.z, 3.0f);
}

TEST(SampleTextures, TransformsAndColourSpacesAreKept) {
    const auto path = model("glTF2/textureTransform/TextureTransformTest.gltf");
    if (!path) GTEST_SKIP() << to_string(path.error());
    const auto scene = load_gltf(*path);
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_TRUE(std::any_of(scene->materials.begin(), scene->materials.end(), [](const auto& m) {
        return m.base_color_texture.offset != glm::vec2(0.0f);
    }));
    EXPECT_TRUE(std::any_of(scene->materials.begin(), scene->materials.end(), [](const auto& m) {
        return std::abs(m.base_color_texture.matrix.y) > 0.1f;
    })) << "a rotation";
    for (const SceneTexture& texture : scene->textures)
        EXPECT_EQ(scene->images[texture.image].format,
                  texture.srgb ? Format::rgba8_srgb : Format::rgba8_unorm);
}

} // namespace
} // namespace tuff
