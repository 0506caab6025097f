// Models that assimp reads as scenes: what is read, and what damaged files do.

#include "tests/common/test_folder.hpp"

#include <tuff/file_kinds.hpp>
#include <tuff/scene.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>

namespace tuff {
namespace {

namespace fs = std::filesystem;

const std::string kObj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
const std::string kOff = "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";
const std::string kPlyHeader = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\n"
                               "property float y\nproperty float z\nelement face 2\n"
                               "property list uchar int vertex_indices\nend_header\n";
const std::string kPly = kPlyHeader + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";

template <typename T>
void put(std::string& to, T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    to.append(bytes, sizeof(T));
}

std::string binary_ply() {
    std::string ply = kPlyHeader;
    ply.replace(ply.find("ascii"), 5, "binary_little_endian");
    for (const float coordinate : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 1.f, 1.f, 0.f, 0.f, 1.f, 0.f})
        put(ply, coordinate);
    for (const int corner : {0, 2}) {
        put(ply, static_cast<unsigned char>(3));
        for (const int index : {0, corner == 0 ? 1 : 2, corner == 0 ? 2 : 3})
            put(ply, index);
    }
    return ply;
}

const std::string kStl = "solid square\n"
                         "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                         "vertex 1 1 0\nendloop\nendfacet\n"
                         "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 1 0\n"
                         "vertex 0 1 0\nendloop\nendfacet\nendsolid square\n";

std::string binary_stl() {
    std::string stl(80, ' ');
    put(stl, std::uint32_t{2});
    for (const auto& corners : {std::array{0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 1.f, 1.f, 0.f},
                                std::array{0.f, 0.f, 0.f, 1.f, 1.f, 0.f, 0.f, 1.f, 0.f}}) {
        for (const float number : {0.f, 0.f, 1.f})
            put(stl, number);
        for (const float number : corners)
            put(stl, number);
        put(stl, std::uint16_t{0});
    }
    return stl;
}

/// A square that two nodes place: moved by (5, 0, 0), and below that mirrored and twice as large.
const std::string kCollada = R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array>
<technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2 0 2 3</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="a">
<translate>5 0 0</translate><instance_geometry url="#g"/>
<node id="b"><translate>0 7 0</translate><scale>-2 2 2</scale><instance_geometry url="#g"/></node>
</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
)";

class MeshFiles : public testing::Test {
  protected:
    void SetUp() override { folder_ = test::empty_folder(); }
    void TearDown() override { fs::remove_all(folder_); }

    fs::path write(const std::string& name, const std::string& content) const {
        std::ofstream(folder_ / name, std::ios::binary) << content;
        return folder_ / name;
    }
    Result<SceneData> load(const std::string& name, const std::string& content,
                           const MeshOptions& options = {}) const {
        return load_mesh(write(name, content), options);
    }
    std::string error_of(const std::string& name, const std::string& content,
                         const MeshOptions& options = {}) const {
        const auto scene = load(name, content, options);
        return scene ? "" : scene.error().front().code;
    }

    fs::path folder_;
};

/// What `SceneData` promises to everybody who follows its indices.
void expect_sound(const SceneData& scene) {
    ASSERT_FALSE(scene.materials.empty());
    ASSERT_EQ(scene.draw_bounds.size(), scene.draws.size());
    for (const SceneDraw& draw : scene.draws) {
        ASSERT_LT(draw.material, scene.materials.size());
        ASSERT_LT(draw.transform, scene.transforms.size());
        ASSERT_LE(std::uint64_t{draw.first_index} + draw.index_count, scene.indices.size());
        ASSERT_EQ(draw.index_count % 3, 0u);
        for (std::uint32_t i = 0; i < draw.index_count; ++i)
            ASSERT_LT(scene.indices[draw.first_index + i], draw.vertex_count);
    }
    for (const Vertex& vertex : scene.vertices) {
        ASSERT_TRUE(std::isfinite(vertex.position.x) && std::isfinite(vertex.position.y) &&
                    std::isfinite(vertex.position.z));
        ASSERT_NEAR(glm::length(vertex.normal), 1.0f, 1e-4f);
    }
}

TEST_F(MeshFiles, AllFormatsGiveTheSameSquare) {
    for (const auto& [name, content] : {std::pair{"square.obj", kObj},
                                        {"square.ply", kPly},
                                        {"binary.ply", binary_ply()},
                                        {"square.off", kOff},
                                        {"square.stl", kStl},
                                        {"binary.stl", binary_stl()}}) {
        const auto scene = load(name, content);
        ASSERT_TRUE(scene) << name << to_string(scene.error());
        expect_sound(*scene);
        EXPECT_EQ(scene->triangle_count(), 2u) << name;
        EXPECT_EQ(scene->vertices.size(), 4u) << name;
        EXPECT_EQ(scene->bounds.max, glm::vec3(1, 1, 0)) << name;
        for (const Vertex& vertex : scene->vertices)
            EXPECT_EQ(vertex.normal, glm::vec3(0, 0, 1)) << name;
        EXPECT_EQ(scene->materials.front().metallic, 0.0f);
        EXPECT_TRUE(scene->warnings.empty()) << name;
    }
}

TEST_F(MeshFiles, NodesPlaceTheirMeshes) {
    const auto scene = load("nodes.dae", kCollada);
    ASSERT_TRUE(scene) << to_string(scene.error());
    expect_sound(*scene);
    ASSERT_EQ(scene->draws.size(), 2u);
    EXPECT_EQ(scene->vertices.size(), 4u) << "both draw the same vertices";
    EXPECT_EQ(scene->draw_bounds[0].min, glm::vec3(5, 0, 0));
    EXPECT_EQ(scene->draw_bounds[0].max, glm::vec3(6, 1, 0));
    EXPECT_EQ(scene->draw_bounds[1].min, glm::vec3(3, 7, 0));
    EXPECT_EQ(scene->draw_bounds[1].max, glm::vec3(5, 9, 0));
    EXPECT_EQ(scene->draws[0].flags, 0u);
    EXPECT_EQ(scene->draws[1].flags, std::uint32_t{draw_mirrored});
    EXPECT_EQ(scene->bounds.min, glm::vec3(3, 0, 0));
}

/// Every sample model of assimp's that has an extension of ours loads or is refused with one
/// diagnostic; all kinds are among them.
TEST(MeshModels, AllSamplesLoadOrAreRefused) {
    const fs::path folder = "/usr/share/assimp/models";
    if (!fs::exists(folder)) GTEST_SKIP() << "no assimp-testmodels";
    std::map<std::string, int> loaded, refused;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        std::string extension = entry.path().extension().string();
        std::ranges::transform(extension, extension.begin(),
                               [](char c) { return std::tolower(c); });
        if (!entry.is_regular_file() || entry.file_size() > 2'000'000 || extension == ".gltf" ||
            extension == ".glb" || std::ranges::count(model_extensions(), extension) == 0)
            continue;
        SCOPED_TRACE(entry.path().string());
        const auto scene = load_mesh(entry.path());
        if (scene) {
            expect_sound(*scene);
            ++loaded[extension];
        } else {
            EXPECT_EQ(scene.error().size(), 1u);
            EXPECT_EQ(scene.error().front().where.file, entry.path().string());
            ++refused[extension];
        }
    }
    for (const std::string_view extension : model_extensions()) {
        if (extension == ".gltf" || extension == ".glb") continue;
        const std::string kind(extension);
        EXPECT_GT(loaded[kind], 0) << kind << ", refused: " << refused[kind];
    }
}

TEST_F(MeshFiles, MissingNormalsAreSmoothOrFlatAsAsked) {
    const std::string roof = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\n";
    const auto smooth = load("roof.obj", roof);
    ASSERT_TRUE(smooth);
    EXPECT_EQ(smooth->vertices.size(), 4u);
    const glm::vec3 mean = glm::normalize(glm::vec3(0, 1, 1));
    int shared = 0;
    for (const Vertex& vertex : smooth->vertices)
        shared += glm::distance(vertex.normal, mean) < 1e-6f;
    EXPECT_EQ(shared, 2);
    const auto flat = load("roof.obj", roof, {.normals = MissingNormals::flat});
    ASSERT_TRUE(flat);
    EXPECT_EQ(flat->vertices.size(), 6u);
    for (const Vertex& vertex : flat->vertices)
        EXPECT_EQ(std::abs(vertex.normal.x) + std::abs(vertex.normal.y) + std::abs(vertex.normal.z),
                  1.0f);
}

TEST_F(MeshFiles, ConcavePolygonsAreCutAsTheyAre) {
    // An arrow head that points to +x, with a notch: (0, 0) lies inside the hull.
    const auto scene = load("arrow.obj", "v 2 0 0\nv -1 1 0\nv 0 0 0\nv -1 -1 0\nf 3 4 1 2\n");
    ASSERT_TRUE(scene) << to_string(scene.error());
    ASSERT_EQ(scene->triangle_count(), 2u);
    float area = 0.0f;
    for (std::size_t i = 0; i < scene->indices.size(); i += 3) {
        const auto corner = [&](std::size_t c) {
            return scene->vertices[scene->indices[i + c]].position;
        };
        const float twice = glm::cross(corner(1) - corner(0), corner(2) - corner(0)).z;
        EXPECT_GT(twice, 0.0f);
        area += 0.5f * twice;
    }
    EXPECT_FLOAT_EQ(area, 2.0f);
}

TEST_F(MeshFiles, MaterialsOfAnObjAreTaken) {
    write("paint.mtl", "newmtl red\nKd 0.5 0.25 0.125\nNs 98\nd 0.5\nmap_Kd missing.png\n");
    const auto scene = load("painted.obj", "mtllib paint.mtl\nusemtl red\n" + kObj);
    ASSERT_TRUE(scene) << to_string(scene.error());
    const SceneMaterial& material = scene->materials[scene->draws.front().material];
    EXPECT_EQ(material.base_color, glm::vec4(0.5f, 0.25f, 0.125f, 0.5f));
    EXPECT_EQ(material.alpha_mode, AlphaMode::blend);
    EXPECT_NEAR(material.roughness, std::pow(0.02f, 0.25f), 1e-5f);
    ASSERT_EQ(scene->warnings.size(), 1u);
    EXPECT_EQ(scene->warnings.front().code, "mesh/texture");
    EXPECT_THAT(scene->warnings.front().message, testing::HasSubstr("missing.png"));
}

TEST_F(MeshFiles, ColoursOfVerticesAreKept) {
    std::string ply = kPly;
    ply.replace(ply.find("element face"), 0,
                "property uchar red\nproperty uchar green\nproperty uchar blue\n");
    for (const char* place : {"0 0 0\n", "1 0 0\n", "1 1 0\n", "0 1 0\n"})
        ply.replace(ply.find(place) + 5, 1, " 255 0 0\n");
    const auto scene = load("red.ply", ply);
    ASSERT_TRUE(scene) << to_string(scene.error());
    for (const Vertex& vertex : scene->vertices) {
        EXPECT_EQ(vertex.color_rg, 0x0000ffffu);
        EXPECT_EQ(vertex.color_ba & 0xffffu, 0u);
    }
}

TEST_F(MeshFiles, PointsAndLinesAreSkippedWithAWarning) {
    const auto scene = load("lines.obj", kObj + "l 1 2\n");
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_EQ(scene->triangle_count(), 2u);
    ASSERT_EQ(scene->warnings.size(), 1u);
    EXPECT_EQ(scene->warnings.front().code, "mesh/skipped-primitive");
    EXPECT_EQ(error_of("lines.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n"), "mesh/empty");
}

TEST_F(MeshFiles, IndicesOutOfRangeAreRefused) {
    std::string ply = kPly;
    ply.replace(ply.find("3 0 2 3"), 7, "3 0 2 4");
    EXPECT_EQ(error_of("a.ply", ply), "mesh/index-out-of-range");
    ply.replace(ply.find("3 0 2 4"), 7, "3 0 2-1");
    EXPECT_NE(error_of("a.ply", ply), "");
    std::string off = kOff;
    off.replace(off.find("3 0 2 3"), 7, "3 0 2 4");
    EXPECT_EQ(error_of("a.off", off), "mesh/index-out-of-range");
    EXPECT_EQ(error_of("a.obj", kObj + "f 1 2 5\n"), "mesh/index-out-of-range");
}

TEST_F(MeshFiles, NotANumberIsRefused) {
    for (const char* bad : {"nan", "inf", "1e39"}) {
        std::string ply = kPly;
        ply.replace(ply.find("1 0 0\n"), 1, bad);
        EXPECT_EQ(error_of("a.ply", ply), "mesh/not-finite") << bad;
    }
    std::string binary = binary_ply();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(binary.data() + binary.find("end_header\n") + 11, &nan, 4);
    EXPECT_EQ(error_of("a.ply", binary), "mesh/not-finite");
}

TEST_F(MeshFiles, EmptyAndForeignFilesAreRefused) {
    for (const char* name : {"a.obj", "a.ply", "a.off"}) {
        EXPECT_NE(error_of(name, ""), "") << name;
        EXPECT_NE(error_of(name, "\n\n\n"), "") << name;
        EXPECT_NE(error_of(name, std::string(64, '\xff')), "") << name;
    }
    EXPECT_EQ(error_of("a.stl", "solid"), "mesh/corrupt");
    EXPECT_EQ(error_of("a.step", "ISO-10303-21;"), "mesh/unknown-format");
    EXPECT_EQ(load_mesh(folder_ / "none.obj").error().front().code, "mesh/not-found");
    fs::create_directory(folder_ / "folder.ply");
    EXPECT_EQ(load_mesh(folder_ / "folder.ply").error().front().code, "mesh/unreadable");
    EXPECT_THAT(load_mesh(write("b.ply", "")).error().front().where.file,
                testing::EndsWith("b.ply"));
}

TEST_F(MeshFiles, CountsBeyondTheFileAreRefusedBeforeMemoryIsTaken) {
    for (const char* count : {"4000000000", "99999999999999999999", "-1", "x"}) {
        std::string ply = kPly;
        ply.replace(ply.find("vertex 4") + 7, 1, count);
        EXPECT_EQ(error_of("a.ply", ply), "mesh/corrupt") << count;
        std::string off = kOff;
        off.replace(off.find("4 2 0"), 1, count);
        EXPECT_EQ(error_of("a.off", off), "mesh/corrupt") << count;
    }
    std::string twice = kPly;
    twice.replace(twice.find("element face"), 0, "element vertex 4\nproperty float x\n");
    EXPECT_EQ(error_of("a.ply", twice), "mesh/corrupt");
}

TEST_F(MeshFiles, TooManyVerticesAreRefused) {
    EXPECT_EQ(error_of("a.ply", kPly, {.max_vertices = 3}), "mesh/too-large");
    EXPECT_EQ(error_of("a.ply", kPly, {.max_vertices = 4}), "");
}

TEST_F(MeshFiles, FilesCutAnywhereNeverCrash) {
    for (const auto& [name, content] : {std::pair{"cut.obj", kObj},
                                        {"cut.ply", kPly},
                                        {"cut2.ply", binary_ply()},
                                        {"cut.off", kOff},
                                        {"cut.stl", binary_stl()}})
        for (std::size_t size = 0; size < content.size(); ++size)
            if (const auto scene = load(name, content.substr(0, size))) expect_sound(*scene);
}

TEST_F(MeshFiles, GarbledFilesNeverCrash) {
    std::mt19937 random(7);
    for (const auto& [name, content] : {std::pair{"bad.obj", kObj},
                                        {"bad.ply", kPly},
                                        {"bad2.ply", binary_ply()},
                                        {"bad.off", kOff},
                                        {"bad.stl", binary_stl()},
                                        {"bad.dae", kCollada}})
        for (int round = 0; round < 120; ++round) {
            std::string garbled = content;
            for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
                const std::size_t at = random() % garbled.size();
                if (random() % 2)
                    garbled[at] = static_cast<char>(random());
                else
                    garbled[at] = "0123456789 -.e\n"[random() % 15];
            }
            if (const auto scene = load(name, garbled)) expect_sound(*scene);
        }
}

TEST_F(MeshFiles, ExtensionsChooseTheReader) {
    EXPECT_TRUE(load_scene(write("a.OBJ", kObj)));
    EXPECT_EQ(load_scene(write("a.gltf", "{")).error().front().code, "gltf/syntax");
    EXPECT_EQ(load_scene(write("a.txt", kObj)).error().front().code, "mesh/unknown-format");
}

TEST(MergedScenes, KeepTheirPlacesMaterialsAndTextures) {
    auto part = std::make_shared<SceneData>(make_plane({2.0f, 4.0f}));
    part->images.push_back(make_image(Format::rgba8_unorm, {1, 1, 1}));
    part->textures.push_back({.image = 0, .sampler = {}, .srgb = false});
    part->materials[0].base_color_texture.texture = 0;
    glm::mat4 placement(2.0f);
    placement[3] = {5.0f, 1.0f, 0.0f, 1.0f};
    SceneMaterial gold;
    gold.base_color = {1.0f, 0.8f, 0.3f, 1.0f};
    const std::array<ScenePart, 3> parts{
        {{part, glm::mat4(1.0f), {}}, {part, placement, {}}, {part, glm::mat4(1.0f), gold}}};
    const auto whole = merge_scenes(parts);
    ASSERT_TRUE(whole);
    expect_sound(*whole);
    EXPECT_EQ(whole->triangle_count(), 6u);
    EXPECT_EQ(whole->bounds.max, glm::vec3(7, 1, 4));
    EXPECT_EQ(whole->draw_bounds[1].min, glm::vec3(3, 1, -4));
    EXPECT_EQ(whole->materials[whole->draws[1].material].base_color_texture.texture, 1);
    EXPECT_EQ(whole->textures[1].image, 1u);
    EXPECT_EQ(whole->materials[whole->draws[2].material].base_color, gold.base_color);
    EXPECT_EQ(whole->transforms[whole->draws[1].transform].world, placement);
    EXPECT_EQ(whole->draws[1].vertex_offset, 4);

    placement[0][0] = std::numeric_limits<float>::infinity();
    const std::array<ScenePart, 1> far{{{part, placement, {}}}};
    EXPECT_EQ(merge_scenes(far).error().front().code, "mesh/not-finite");
}

TEST(MergedScenes, MirroringTurnsFacesAround) {
    const auto part = std::make_shared<SceneData>(make_plane({2.0f, 2.0f}));
    glm::mat4 mirror(1.0f);
    mirror[0][0] = -1.0f;
    const std::array<ScenePart, 1> parts{{{part, mirror, {}}}};
    EXPECT_EQ(merge_scenes(parts)->draws[0].flags, std::uint32_t{draw_mirrored});
}

} // namespace
} // namespace tuff
