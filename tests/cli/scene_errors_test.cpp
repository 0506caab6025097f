// Models that are damaged: exit code 2, one diagnostic at the place in the config that names the
// file, nothing written.

#include "run_tuff.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tuff_config.hpp>

namespace tuff::test {
namespace {

constexpr std::string_view kSceneConfig = R"json({{
    "tuff": 1,
    "size": [32, 16],
    "assets": {{"model": {{"gltf": "{}"}}}},
    "nodes": {{
        "view": {{"pass": "scene/mesh_raster", "in": {{"scene": "model"}},
                 "params": {{"width": "$width", "height": "$height"}}}}
    }},
    "outputs": {{"picture": {{"from": "view.color", "file": "picture.exr"}}}}
}})json";

struct SceneErrorCase {
    std::string name;
    std::string model; ///< below the sample models, or a file of the test's own
    std::string code;
    std::string culprit;
    std::size_t mistakes = 1; ///< each has a diagnostic
};

void PrintTo(const SceneErrorCase& c, std::ostream* stream) {
    *stream << c.name;
}

class SceneError : public testing::TestWithParam<SceneErrorCase> {
  protected:
    static constexpr std::string_view kNoImage = R"({"asset": {"version": "2.0"},
        "images": [{"uri": "absent.png"}], "textures": [{"source": 0}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                       "min": [0, 0, 0], "max": [0, 0, 0]}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,)"
                                                 "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                                                 R"("}], "nodes": [{"mesh": 0}],
        "scenes": [{"nodes": [0]}]})";
};

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos;
         at = text.find(part, at + 1))
        ++found;
    return found;
}

TEST_P(SceneError, exits_with_2_names_the_culprit_and_writes_nothing) {
    const SceneErrorCase& c = GetParam();
    const WorkFolder folder;
    const bool own = c.model.find('/') == std::string::npos;
    const std::string model =
        own ? c.model : fmt::format("{}/{}", build_config::kModelsDir, c.model);
    folder.write("graph.json", fmt::format(fmt::runtime(kSceneConfig), model));
    if (c.model == "no_image.gltf") folder.write(c.model, kNoImage);
    if (c.model == "cut.glb") folder.write(c.model, std::string("glTF\2\0\0\0\xff\0\0\0", 12));
    if (c.model == "text.gltf") folder.write(c.model, "no model at all");
    const std::vector<std::string> before = folder.files();
    for (const char* command : {"check", "run"}) {
        const CommandResult result = run_tuff({command, "graph.json"}, folder.path());
        EXPECT_EQ(result.exit_code, 2) << command << '\n' << result.errors;
        EXPECT_THAT(result.errors, testing::HasSubstr("error[" + c.code + "]"));
        EXPECT_THAT(result.errors, testing::HasSubstr(c.culprit));
        EXPECT_THAT(result.errors, testing::HasSubstr("graph.json:4:"));
        EXPECT_EQ(count(result.errors, "error["), c.mistakes);
        EXPECT_THAT(result.output, testing::IsEmpty());
        EXPECT_EQ(folder.files(), before);
    }
}

const std::vector<SceneErrorCase> kSceneErrorCases = {
    {"absent", "absent.glb", "asset/not-found", "absent.glb"},
    {"not_a_model", "text.gltf", "gltf/syntax", "text.gltf"},
    {"truncated", "cut.glb", "gltf/corrupt-buffer", "cut.glb"},
    {"missing_texture", "no_image.gltf", "gltf/missing-file", "absent.png"},
    {"missing_buffer", "glTF2/MissingBin/BoxTextured.gltf", "gltf/missing-file", "BoxTextured0.bin",
     2}, // its texture is missing, too
    {"index_out_of_range", "glTF2/IndexOutOfRange/IndexOutOfRange.gltf", "gltf/index-out-of-range",
     "IndexOutOfRange.gltf"},
    {"all_indices_out_of_range", "glTF2/IndexOutOfRange/AllIndicesOutOfRange.gltf",
     "gltf/index-out-of-range", "AllIndicesOutOfRange.gltf"},
    {"recursive_nodes", "glTF2/RecursiveNodes/RecursiveNodes.gltf", "gltf/node-cycle",
     "RecursiveNodes.gltf"},
    {"wrong_type", "glTF2/SchemaFailures/sceneWrongType.gltf", "gltf/schema", "scene"},
    {"not_finite", "glTF2/BoxWithInfinites-glTF-Binary/BoxWithInfinites.glb", "gltf/not-finite",
     "BoxWithInfinites.glb"},
    {"required_extension", "glTF2/draco/2CylinderEngine.gltf", "gltf/unsupported-extension",
     "KHR_draco_mesh_compression"},
};

INSTANTIATE_TEST_SUITE_P(Every, SceneError, testing::ValuesIn(kSceneErrorCases),
                         [](const auto& test) { return test.param.name; });

} // namespace
} // namespace tuff::test
