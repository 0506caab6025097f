// Surfaces that the device has made, as files of models.

#include "run_tuff.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>

namespace tuff::test {
namespace {

using testing::HasSubstr;

constexpr std::string_view kSurfaceConfig = R"({
  "tuff": 1,
  "nodes": {
    "balls": {"kernel": "balls.comp", "out": {"balls": {"length": 2}}},
    "sum": {
      "pass": "isosurface/metaballs", "in": {"balls": "balls.balls"},
      "params": {"dims": [20, 20, 20], "spacing": [0.1, 0.1, 0.1], "origin": [-1, -1, -1]}
    },
    "surface": {
      "pass": "isosurface/marching_cubes", "in": {"field": "sum.field"},
      "params": {"spacing": [0.1, 0.1, 0.1], "origin": [-1, -1, -1]}
    },
    "packed": {
      "pass": "geometry/mesh_file",
      "in": {"mesh": "surface.mesh", "normals": "surface.normals", "counts": "surface.status"}
    }
  },
  "outputs": {"surface": {"from": "packed.file", "file": "surface.ply"}, "draw": "surface.draw"}
})";
constexpr std::string_view kBalls = R"(#version 460
layout(local_size_x = 2) in;
writeonly buffer Balls { vec4 values[]; } balls;
void main() {
    uint i = gl_LocalInvocationIndex;
    balls.values[i] = vec4(i == 0u ? -0.4 : 0.4, 0.0, 0.0, 0.9);
}
)";

TEST(MeshFilesOfRuns, HaveTheTrianglesThatThereAre) {
    WorkFolder folder;
    folder.write("graph.json", std::string(kSurfaceConfig));
    folder.write("balls.comp", std::string(kBalls));
    const auto run = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"run", "graph.json"});
        return run_tuff(more, folder.path(), {{"TUFF_DEVICE", "lavapipe"}});
    };
    const CommandResult made = run({"--out", "surface=surface.ply", "--out", "draw=draw.csv"});
    ASSERT_EQ(made.exit_code, 0) << made.errors;
    const std::string draw = folder.read("draw.csv");
    const int indices = std::stoi(draw);
    EXPECT_GT(indices, 300);
    const std::string ply = folder.read("surface.ply");
    EXPECT_THAT(ply, HasSubstr("element face " + std::to_string(indices / 3) + "\n"));
    for (const std::string file : {"surface.ply", "surface.obj", "surface.glb", "surface.gltf"}) {
        const CommandResult other = run({"--out", "surface=" + file});
        EXPECT_EQ(other.exit_code, 0) << other.errors;
        // What is read back has as many triangles.
        folder.write("back.json",
                     R"({"tuff": 1, "assets": {"model": {"scene": [{"model": ")" + file +
                         R"("}]}}, "nodes": {"all": {"pass": "geometry/triangles", "in": )"
                         R"({"scene": "model"}}}, "outputs": {"indices": "all.mesh.indices"}})");
        const CommandResult seen = run_tuff({"run", "back.json", "--out", "indices.bin"},
                                            folder.path(), {{"TUFF_DEVICE", "lavapipe"}});
        EXPECT_EQ(seen.exit_code, 0) << seen.errors;
        EXPECT_EQ(folder.read("indices.bin").size(), 4u * static_cast<std::size_t>(indices));
    }
    const CommandResult wrong = run({"--out", "draw=draw.ply"});
    EXPECT_NE(wrong.exit_code, 0);
    EXPECT_THAT(wrong.errors, HasSubstr("mesh/not-packed"));
}

} // namespace
} // namespace tuff::test
