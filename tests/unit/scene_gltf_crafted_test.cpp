#include "tests/common/test_folder.hpp"

#include <tuff/scene.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace tuff {
namespace {

namespace fs = std::filesystem;

/// Files of one test, in a folder of its own.
class CraftedGltf : public testing::Test {
  protected:
    void SetUp() override { folder_ = test::empty_folder(); }
    void TearDown() override { fs::remove_all(folder_); }

    fs::path write(const std::string& name, const std::string& content) const {
        std::ofstream(folder_ / name, std::ios::binary) << content;
        return folder_ / name;
    }
    Result<SceneData> load(const std::string& json, const GltfOptions& options = {}) const {
        return load_gltf(write("test.gltf", json), options);
    }
    std::string error_of(const std::string& json, const GltfOptions& options = {}) const {
        const auto scene = load(json, options);
        return scene ? "" : scene.error().front().code;
    }

  private:
    fs::path folder_;
};

template <typename T>
std::string raw(std::initializer_list<T> values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), values.begin(), bytes.size());
    return bytes;
}

/// What varies from test to test of a file with one triangle in `data.bin`: positions in accessor
/// 0, u16 indices in accessor 1.
struct Triangle {
    std::string positions = raw<float>({0, 0, 0, 1, 0, 0, 0, 1, 0});
    std::string indices = raw<std::uint16_t>({0, 1, 2, 0});
    std::string extra = {}; ///< bytes behind both
    std::string attributes = R"("POSITION": 0)";
    std::string position_accessor =
        R"("bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3")";
    std::string index_accessor =
        R"("bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR")";
    std::string more_accessors = {};
    std::string more_views = {};
    std::string nodes = R"([{"mesh": 0}])";
    std::string scenes = R"("scenes": [{"nodes": [0]}],)";
    std::string more = {}; ///< further top-level members, each followed by a comma
    std::string primitive = "";

    std::string bin() const { return positions + indices + extra; }
    std::string json() const {
        return fmt::format(
            R"({{"asset": {{"version": "2.0"}}, {} {} "nodes": {},
"meshes": [{{"name": "Tri", "primitives": [{{"attributes": {{{}}}, "indices": 1 {}}}]}}],
"accessors": [{{{}}}, {{{}}} {}],
"bufferViews": [{{"buffer": 0, "byteLength": {}}}, {{"buffer": 0, "byteOffset": {}, "byteLength": {}}} {}],
"buffers": [{{"uri": "data.bin", "byteLength": {}}}]}})",
            scenes, more, nodes, attributes, primitive, position_accessor, index_accessor,
            more_accessors, positions.size(), positions.size(), indices.size(), more_views,
            bin().size());
    }
};

class TriangleGltf : public CraftedGltf {
  protected:
    Result<SceneData> load(const Triangle& triangle, const GltfOptions& options = {}) const {
        write("data.bin", triangle.bin());
        return CraftedGltf::load(triangle.json(), options);
    }
    std::string error_of(const Triangle& triangle, const GltfOptions& options = {}) const {
        const auto scene = load(triangle, options);
        return scene ? "" : scene.error().front().code;
    }
};

TEST_F(TriangleGltf, LoadsWithFlatNormalsAndTheDefaultMaterial) {
    const auto scene = load(Triangle{});
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_EQ(scene->triangle_count(), 1u);
    EXPECT_EQ(scene->vertices[2].normal, glm::vec3(0, 0, 1));
    EXPECT_EQ(scene->material_names.front(), "default");
    EXPECT_EQ(scene->bounds.max, glm::vec3(1, 1, 0));
}

TEST_F(TriangleGltf, IndexOutOfRangeNamesMeshAndPrimitive) {
    const auto scene = load(Triangle{.indices = raw<std::uint16_t>({0, 1, 3, 0})});
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().front().code, "gltf/index-out-of-range");
    EXPECT_THAT(scene.error().front().message, testing::HasSubstr("mesh 0 'Tri', primitive 0"));
}

TEST_F(TriangleGltf, NotANumberIsRefused) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(error_of(Triangle{.positions = raw<float>({0, 0, 0, 1, nan, 0, 0, 1, 0})}),
              "gltf/not-finite");
    EXPECT_EQ(error_of(Triangle{.nodes = R"([{"mesh": 0, "scale": [1e39, 1, 1]}])"}),
              "gltf/not-finite");
}

TEST_F(TriangleGltf, AccessorsBeyondTheirViewAreRefused) {
    const std::string start = R"("bufferView": 0, "componentType": 5126, "type": "VEC3", )";
    for (const char* rest :
         {R"("count": 4)", R"("count": 2147483648)", R"("count": 3, "byteOffset": 4)",
          R"("count": 1, "byteOffset": 2147483648)"})
        EXPECT_EQ(error_of(Triangle{.position_accessor = start + rest}),
                  "gltf/accessor-out-of-range")
            << rest;
}

TEST_F(TriangleGltf, HugeCountsWithoutAViewAreRefused) {
    EXPECT_EQ(
        error_of(Triangle{.position_accessor =
                              R"("componentType": 5126, "count": 2000000000, "type": "VEC3")"}),
        "gltf/too-large");
    EXPECT_EQ(error_of(Triangle{}, {.scene = {}, .max_vertices = 2}), "gltf/too-large");
}

TEST_F(TriangleGltf, SparseAccessorsReplaceElements) {
    Triangle triangle{.extra = raw<std::uint16_t>({1, 0}) + raw<float>({5, 0, 0})};
    triangle.more_views = R"(, {"buffer": 0, "byteOffset": 44, "byteLength": 4},
                              {"buffer": 0, "byteOffset": 48, "byteLength": 12})";
    const auto with = [&](const char* sparse) {
        Triangle changed = triangle;
        changed.position_accessor += fmt::format(R"(, "sparse": {})", sparse);
        return changed;
    };
    const auto scene =
        load(with(R"({"count": 1, "indices": {"bufferView": 2, "componentType": 5123},
                                     "values": {"bufferView": 3}})"));
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_EQ(scene->vertices[1].position, glm::vec3(5, 0, 0));
    EXPECT_EQ(error_of(with(R"({"count": 2000000, "indices": {"bufferView": 2, "componentType":
                                5123}, "values": {"bufferView": 3}})")),
              "gltf/accessor-out-of-range");
    EXPECT_EQ(error_of(with(R"({"count": 1, "indices": {"bufferView": 3, "componentType": 5123},
                                "values": {"bufferView": 3}})")),
              "")
        << "0 is a sound index";
}

TEST_F(TriangleGltf, NormalisedIntegersAndStridesAreUnderstood) {
    Triangle triangle{.positions =
                          raw<std::int16_t>({0, 0, 0, 9, 32767, 0, 0, 9, 0, -32768, 0, 9})};
    triangle.position_accessor =
        R"("bufferView": 2, "componentType": 5122, "normalized": true, "count": 3, "type": "VEC3")";
    triangle.more_views = R"(, {"buffer": 0, "byteLength": 24, "byteStride": 8})";
    const auto scene = load(triangle);
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_EQ(scene->vertices[1].position, glm::vec3(1, 0, 0));
    EXPECT_EQ(scene->vertices[2].position, glm::vec3(0, -1, 0));
}

TEST_F(TriangleGltf, AttributesOfOtherLengthsAreRefused) {
    Triangle triangle{.extra = raw<float>({0, 0, 1, 0, 0, 1})};
    triangle.attributes = R"("POSITION": 0, "NORMAL": 2)";
    triangle.more_views = R"(, {"buffer": 0, "byteOffset": 44, "byteLength": 24})";
    triangle.more_accessors =
        R"(, {"bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC3"})";
    EXPECT_EQ(error_of(triangle), "gltf/attribute-mismatch");
}

TEST_F(TriangleGltf, InstancesShareGeometryAndMirroringIsFlagged) {
    const auto scene =
        load(Triangle{.nodes = R"([{"children": [1, 2], "translation": [10, 0, 0]}, {"mesh": 0},
                     {"mesh": 0, "scale": [-1, 2, 1]}])"});
    ASSERT_TRUE(scene) << to_string(scene.error());
    ASSERT_EQ(scene->draws.size(), 2u);
    EXPECT_EQ(scene->vertices.size(), 3u);
    EXPECT_EQ(scene->draws[0].first_index, scene->draws[1].first_index);
    EXPECT_EQ(scene->draws[0].flags, 0u);
    EXPECT_EQ(scene->draws[1].flags, draw_mirrored);
    EXPECT_EQ(scene->bounds.min, glm::vec3(9, 0, 0));
    EXPECT_EQ(scene->bounds.max, glm::vec3(11, 2, 0));
}

TEST_F(TriangleGltf, RotationIsAppliedBeforeTranslationAndAfterScale) {
    const auto scene =
        load(Triangle{.nodes = R"([{"mesh": 0, "translation": [0, 0, 5], "scale": [2, 1, 1],
                      "rotation": [0, 0, 0.70710678, 0.70710678]}])"});
    ASSERT_TRUE(scene) << to_string(scene.error());
    const glm::vec3 x(scene->transforms[0].world * glm::vec4(1, 0, 0, 1));
    EXPECT_NEAR(glm::length(x - glm::vec3(0, 2, 5)), 0.0f, 1e-5f);
}

TEST_F(TriangleGltf, NormalMatrixKeepsNormalsPerpendicular) {
    const auto scene = load(Triangle{.nodes = R"([{"mesh": 0, "scale": [1, 4, 9],
                                                   "rotation": [0.5, 0.5, 0.5, 0.5]}])"});
    ASSERT_TRUE(scene);
    const SceneTransform& t = scene->transforms[0];
    const glm::vec3 edge(t.world * glm::vec4(1, -1, 0, 0));
    const glm::vec3 normal(t.normal * glm::vec4(0, 0, 1, 0));
    EXPECT_NEAR(glm::dot(edge, normal), 0.0f, 1e-5f);
}

TEST_F(TriangleGltf, ChosenScenesAndRootsWithoutScenesAreDrawn) {
    const std::string nodes = R"([{"mesh": 0}, {"mesh": 0, "children": [2]}, {"mesh": 0}])";
    const std::string scenes = R"("scene": 1, "scenes": [{"nodes": [0]}, {"nodes": [1]}],)";
    EXPECT_EQ(load(Triangle{.nodes = nodes, .scenes = scenes})->draws.size(), 2u);
    EXPECT_EQ(load(Triangle{.nodes = nodes, .scenes = scenes}, {.scene = 0})->draws.size(), 1u);
    EXPECT_EQ(load(Triangle{.nodes = nodes, .scenes = ""})->draws.size(), 3u);
    EXPECT_EQ(error_of(Triangle{}, {.scene = 7}), "gltf/schema");
    EXPECT_EQ(error_of(Triangle{.nodes = R"([{"children": [0]}])", .scenes = ""}),
              "gltf/node-cycle");
}

TEST_F(TriangleGltf, ADeepHierarchyDoesNotExhaustTheStack) {
    std::string nodes = "[";
    constexpr int kDepth = 20000;
    for (int i = 1; i < kDepth; ++i)
        nodes += fmt::format(R"({{"children": [{}]}},)", i);
    EXPECT_EQ(load(Triangle{.nodes = nodes + R"({"mesh": 0}])"})->draws.size(), 1u);
}

TEST_F(TriangleGltf, MaterialFactorsAndExtensionsAreRead) {
    Triangle triangle{.primitive = R"(, "material": 0)"};
    triangle.more = R"("extensionsUsed": ["KHR_materials_emissive_strength", "KHR_materials_unlit"],
        "materials": [{"name": "glow", "emissiveFactor": [0.5, 1, 0], "alphaMode": "MASK",
        "alphaCutoff": 0.25, "doubleSided": true,
        "pbrMetallicRoughness": {"baseColorFactor": [0.1, 0.2, 0.3, 0.4], "metallicFactor": 0.6,
        "roughnessFactor": 0.7}, "extensions": {"KHR_materials_emissive_strength":
        {"emissiveStrength": 4}, "KHR_materials_unlit": {}}}],)";
    const auto scene = load(triangle);
    ASSERT_TRUE(scene) << to_string(scene.error());
    const SceneMaterial& m = scene->materials.at(0);
    EXPECT_EQ(m.emissive, glm::vec3(2, 4, 0));
    EXPECT_FLOAT_EQ(m.base_color.w, 0.4f);
    EXPECT_FLOAT_EQ(m.metallic, 0.6f);
    EXPECT_FLOAT_EQ(m.roughness, 0.7f);
    EXPECT_EQ(m.alpha_mode, AlphaMode::mask);
    EXPECT_FLOAT_EQ(m.alpha_cutoff, 0.25f);
    EXPECT_EQ(m.flags, material_double_sided | material_unlit);
    EXPECT_TRUE(scene->warnings.empty());
}

/// A file with these lights, each on a node of its own below one that is moved, turned and scaled.
Triangle lit_triangle(const std::string& lights, const std::string& nodes) {
    Triangle triangle{.nodes = R"([{"mesh": 0, "children": [1, 2, 3], "translation": [1, 2, 3],
        "rotation": [0, 0.70710678, 0, 0.70710678], "scale": [2, 2, 2]},)" +
                               nodes + "]"};
    triangle.more = R"("extensionsUsed": ["KHR_lights_punctual"], "extensionsRequired":
        ["KHR_lights_punctual"], "extensions": {"KHR_lights_punctual": {"lights": )" +
                    lights + "}},";
    return triangle;
}

constexpr std::string_view kThreeLights = R"([
    {"type": "point", "color": [1, 0.5, 0.25], "intensity": 40, "range": 7, "name": "lamp"},
    {"type": "spot", "spot": {"innerConeAngle": 0.25, "outerConeAngle": 0.5}},
    {"type": "directional", "intensity": 3}])";
constexpr std::string_view kThreeNodes = R"(
    {"extensions": {"KHR_lights_punctual": {"light": 0}}, "translation": [0, 1, 0]},
    {"extensions": {"KHR_lights_punctual": {"light": 1}}},
    {"extensions": {"KHR_lights_punctual": {"light": 2}},
     "rotation": [-0.70710678, 0, 0, 0.70710678]})";

TEST_F(TriangleGltf, LightsAreWhereTheirNodesAreAndAsBrightAsTheFileSays) {
    const auto scene = load(lit_triangle(std::string(kThreeLights), std::string(kThreeNodes)));
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_TRUE(scene->warnings.empty());
    ASSERT_EQ(scene->lights.size(), 3u);
    const SceneLight& point = scene->lights[0];
    EXPECT_EQ(point.kind, SceneLightKind::point);
    EXPECT_EQ(point.name, "lamp");
    EXPECT_EQ(point.color, glm::vec3(1, 0.5f, 0.25f));
    EXPECT_EQ(point.intensity, 40.0f);
    EXPECT_EQ(point.range, 7.0f); // scaling does not change it
    EXPECT_LT(glm::distance(point.position, glm::vec3(1, 4, 3)), 1e-5f);
    const SceneLight& spot = scene->lights[1];
    EXPECT_EQ(spot.kind, SceneLightKind::spot);
    EXPECT_EQ(spot.color, glm::vec3(1));
    EXPECT_EQ(spot.intensity, 1.0f);
    EXPECT_EQ(spot.range, 0.0f);
    EXPECT_EQ(spot.inner_angle, 0.25f);
    EXPECT_EQ(spot.outer_angle, 0.5f);
    EXPECT_LT(glm::distance(spot.position, glm::vec3(1, 2, 3)), 1e-5f);
    EXPECT_LT(glm::distance(spot.direction, glm::vec3(-1, 0, 0)), 1e-5f);
    const SceneLight& sun = scene->lights[2];
    EXPECT_EQ(sun.kind, SceneLightKind::directional);
    EXPECT_EQ(sun.intensity, 3.0f);
    EXPECT_LT(glm::distance(sun.direction, glm::vec3(0, -1, 0)), 1e-5f);

    // Parts of scenes take their lights along.
    glm::mat4 placement(3.0f);
    placement[3] = {0, 10, 0, 1};
    const std::vector<ScenePart> parts{
        {.scene = std::make_shared<SceneData>(*scene)},
        {.scene = std::make_shared<SceneData>(*scene), .placement = placement}};
    const auto merged = merge_scenes(parts);
    ASSERT_TRUE(merged);
    ASSERT_EQ(merged->lights.size(), 6u);
    EXPECT_LT(glm::distance(merged->lights[0].position, point.position), 1e-5f);
    EXPECT_LT(glm::distance(merged->lights[3].position, glm::vec3(3, 22, 9)), 1e-4f);
    EXPECT_EQ(merged->lights[3].intensity, 40.0f);
    EXPECT_LT(glm::distance(merged->lights[5].direction, glm::vec3(0, -1, 0)), 1e-5f);
}

TEST_F(TriangleGltf, LightsThatMakeNoSenseAreRefused) {
    const auto code_of_light = [&](const std::string& light) {
        const auto scene = load(lit_triangle("[" + light + "]", R"({}, {},
            {"extensions": {"KHR_lights_punctual": {"light": 0}}})"));
        return scene ? std::string() : scene.error().front().code;
    };
    EXPECT_EQ(code_of_light(R"({"type": "point"})"), "");
    EXPECT_EQ(code_of_light(R"({"type": "area"})"), "gltf/schema");
    EXPECT_EQ(code_of_light(R"({"intensity": 1})"), "gltf/schema");
    EXPECT_EQ(code_of_light(R"({"type": "point", "range": -1})"), "gltf/schema");
    EXPECT_EQ(code_of_light(R"({"type": "point", "intensity": -1})"), "gltf/schema");
    EXPECT_EQ(code_of_light(R"({"type": "point", "color": [1, 2]})"), "gltf/schema");
    EXPECT_EQ(
        code_of_light(R"({"type": "spot", "spot": {"innerConeAngle": 1, "outerConeAngle": 0.5}})"),
        "gltf/schema");
    EXPECT_EQ(code_of_light(R"({"type": "spot", "spot": {"outerConeAngle": 2}})"), "gltf/schema");
    EXPECT_NE(code_of_light(R"({"type": "spot"})"), "");
    const auto no_such = load(lit_triangle(R"([{"type": "point"}])", R"({}, {},
        {"extensions": {"KHR_lights_punctual": {"light": 1}}})"));
    ASSERT_FALSE(no_such);
    EXPECT_EQ(no_such.error().front().code, "gltf/schema");
}

TEST_F(TriangleGltf, TangentsAreMadeForNormalMapsOnly) {
    // A 1x1 grey BMP as a data URI serves as the normal map; u grows along x, v against y.
    Triangle triangle{.extra = raw<float>({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0})};
    triangle.attributes = R"("POSITION": 0, "NORMAL": 2, "TEXCOORD_0": 3)";
    triangle.more_views = R"(, {"buffer": 0, "byteOffset": 44, "byteLength": 36},
                               {"buffer": 0, "byteOffset": 80, "byteLength": 24})";
    triangle.more_accessors =
        R"(, {"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC3"},
             {"bufferView": 3, "componentType": 5126, "count": 3, "type": "VEC2"})";
    triangle.primitive = R"(, "material": 0)";
    triangle.more =
        R"("materials": [{"normalTexture": {"index": 0}}], "textures": [{"source": 0}],
        "images": [{"uri": "data:image/bmp;base64,)"
        "Qk06AAAAAAAAADYAAAAoAAAAAQAAAAEAAAABABgAAAAAAAQAAAATCwAAEwsAAAAAAAAAAAAA/4CAAA=="
        R"("}],)";
    triangle.extra = raw<float>({0, 0, 1, 0, 0, 1, 0, 0, 1}) + raw<float>({0, 1, 1, 1, 0, 0});
    const auto scene = load(triangle);
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_EQ(scene->images.at(0).format, Format::rgba8_unorm);
    for (const Vertex& vertex : scene->vertices)
        EXPECT_NEAR(glm::length(vertex.tangent - glm::vec4(1, 0, 0, 1)), 0.0f, 1e-5f);
}

TEST_F(TriangleGltf, MissingFilesAreNamedWithTheirLine) {
    Triangle triangle;
    triangle.more = R"("images": [{"uri": "no%20such.png"}],)";
    const auto scene = load(triangle);
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().front().code, "gltf/missing-file");
    EXPECT_THAT(scene.error().front().message, testing::HasSubstr("no such.png"));
    EXPECT_EQ(scene.error().front().where.line, 1);
    write("data.bin", "short");
    EXPECT_EQ(CraftedGltf::error_of(Triangle{}.json()), "gltf/corrupt-buffer");
}

TEST_F(TriangleGltf, TextureFilesThatAreNoImagesAreRefused) {
    write("bad.png", "this is no image");
    Triangle triangle{.primitive = R"(, "material": 0)"};
    triangle.more = R"("images": [{"uri": "bad.png"}], "textures": [{"source": 0}],
        "materials": [{"emissiveTexture": {"index": 0}}],)";
    EXPECT_EQ(error_of(triangle), "gltf/texture");
}

TEST_F(CraftedGltf, DamagedFilesGiveOneDiagnosticEach) {
    const struct {
        const char* json;
        const char* code;
    } kCases[] = {
        {"", "gltf/syntax"},
        {"{", "gltf/syntax"},
        {"[]", "gltf/syntax"},
        {"{\"asset\": {\"version\": \"2.0\"}, nonsense}", "gltf/syntax"},
        {"{}", "gltf/unsupported-version"},
        {R"({"asset": {"version": "1.0"}})", "gltf/unsupported-version"},
        {R"({"asset": 7})", "gltf/unsupported-version"},
        {R"({"asset": {"version": "2.0"}, "extensionsRequired": ["EXT_x"]})",
         "gltf/unsupported-extension"},
        {R"({"asset": {"version": "2.0"}, "nodes": [{"mesh": 3}]})", "gltf/schema"},
        {R"({"asset": {"version": "2.0"}, "nodes": {}})", "gltf/schema"},
        {R"({"asset": {"version": "2.0"}, "accessors": [{"componentType": 5126, "type": "VEC3"}]})",
         "gltf/schema"},
        {R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4}],
             "bufferViews": [{"buffer": 0, "byteOffset": 2, "byteLength": 4}]})",
         "gltf/schema"},
        {R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": -4}]})", "gltf/schema"},
        {R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4}]})", "gltf/unreadable"},
        {R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4,
             "uri": "https://example.org/a.bin"}]})",
         "gltf/missing-file"},
        {R"({"asset": {"version": "2.0"}, "cameras": [{"type": "perspective", "perspective":
             {"yfov": -1, "znear": 0}}], "nodes": [{"camera": 0}]})",
         "gltf/schema"},
    };
    for (const auto& test : kCases)
        EXPECT_EQ(error_of(test.json), test.code) << test.json;
}

TEST_F(CraftedGltf, NestingIsLimited) {
    const std::string deep(100000, '[');
    EXPECT_EQ(error_of(R"({"asset": {"version": "2.0"}, "extras": )" + deep), "gltf/syntax");
}

TEST_F(CraftedGltf, SyntaxErrorsHaveTheirLine) {
    const auto scene = load("{\n\"asset\": {\"version\": \"2.0\"},\n\"nodes\": [,]\n}");
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().front().where.line, 3);
}

TEST_F(CraftedGltf, BinaryFilesCutAnywhereAreRefused) {
    std::string json = R"({"asset":{"version":"2.0"},"scenes":[]})";
    while (json.size() % 4 != 0)
        json += ' '; // chunks are aligned
    const auto word = [](std::size_t n) {
        return raw<std::uint32_t>({static_cast<std::uint32_t>(n)});
    };
    const std::string glb = "glTF" + word(2) + word(20 + json.size() + 12) + word(json.size()) +
                            "JSON" + json + word(4) + std::string("BIN\0data", 8);
    const auto whole = load_gltf(write("whole.glb", glb));
    EXPECT_TRUE(whole) << to_string(whole.error());
    for (std::size_t size = 4; size < glb.size(); ++size)
        EXPECT_FALSE(load_gltf(write("cut.glb", glb.substr(0, size)))) << size;
    std::string lie = glb;
    lie.replace(12, 4, word(0xfffffff0u));
    EXPECT_FALSE(load_gltf(write("lie.glb", lie)));
    lie = glb;
    lie.replace(4, 4, word(1));
    EXPECT_EQ(load_gltf(write("old.glb", lie)).error().front().code, "gltf/unsupported-version");
}

TEST(MissingGltf, IsNotFound) {
    const auto scene = load_gltf("no/such/file.gltf");
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().front().code, "gltf/not-found");
    EXPECT_EQ(load_gltf(test::empty_folder()).error().front().code, "gltf/unreadable");
}

} // namespace
} // namespace tuff
