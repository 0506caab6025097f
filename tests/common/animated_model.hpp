#pragma once

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tuff::test {

/// Models that move, to be written as glTF and to be computed on the CPU. What is left empty is
/// left out of the file.
struct AnimatedModel {
    struct Target {
        std::vector<glm::vec3> positions;
        std::vector<glm::vec3> normals;
        std::vector<glm::vec3> tangents;
    };
    /// A mesh of one primitive.
    struct Mesh {
        std::vector<glm::vec3> positions;
        std::vector<glm::vec3> normals;
        std::vector<glm::vec4> tangents;
        std::vector<glm::vec3> colors;
        std::vector<std::array<std::uint16_t, 8>> joints;
        std::vector<std::array<float, 8>> weights; ///< the last four are 0 with one set
        int sets = 0;
        std::vector<Target> targets;
        std::vector<float> target_weights;
        std::vector<std::uint32_t> indices;
    };
    struct Node {
        std::string name = {};
        int parent = -1; ///< comes before it
        glm::vec3 translation{0.0f};
        glm::vec4 rotation{0.0f, 0.0f, 0.0f, 1.0f};
        glm::vec3 scale{1.0f};
        int mesh = -1;
        int skin = -1;
        int camera = -1;
        int light = -1;
    };
    struct Camera {
        float vertical_fov = 0.7f; ///< radians
        float near_plane = 0.1f;
        float far_plane = 0.0f; ///< 0: the file has none
    };
    struct Light {
        std::string type; ///< point, spot, directional
        float intensity = 1.0f;
    };
    struct Skin {
        std::vector<int> joints;
        std::vector<std::array<float, 16>> inverse_bind; ///< by columns
    };
    struct Channel {
        int node = 0;
        std::string path;          ///< translation, rotation, scale, weights
        std::string interpolation; ///< STEP, LINEAR, CUBICSPLINE
        std::vector<float> times;
        std::vector<float> values;
    };
    struct Clip {
        std::string name;
        std::vector<Channel> channels;
    };

    std::vector<Node> nodes;
    std::vector<Mesh> meshes;
    std::vector<Skin> skins;
    std::vector<Camera> cameras;
    std::vector<Light> lights;
    std::vector<Clip> clips;

    /// Writes NAME.gltf and NAME.bin. Returns the path of the former.
    std::filesystem::path write(const std::filesystem::path& folder,
                                const std::string& name = "model") const;
};

/// A tree of nodes that turn, move and grow by channels of all kinds in the clips "one" and "two";
/// on it meshes that follow four joints, eight, morph targets, both, one that is rigid and one that
/// stands still.
AnimatedModel random_model(std::uint32_t seed);

} // namespace tuff::test
