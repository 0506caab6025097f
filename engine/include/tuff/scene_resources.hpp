#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/scene.hpp>

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace tuff {

/// A scene packed for the device: made once, shared by all graphs that use it.
struct SceneAsset {
    /// The scene without `vertices`, `indices` and the texels of `images`, which
    /// are below.
    std::shared_ptr<const SceneData> data;

    /// Shared, so that rebuilt graphs upload nothing again.
    using Bytes = std::shared_ptr<const std::vector<std::byte>>;
    Bytes vertices;            ///< Vertex
    Bytes indices;             ///< uint32
    Bytes draws;               ///< SceneDraw
    Bytes starts;              ///< two uint32 a draw; see Scene::starts
    Bytes transforms;          ///< SceneTransform
    Bytes materials;           ///< SceneMaterial
    std::vector<Bytes> images; ///< parallel to SceneData::images, each with all its mips
};

/// Packs a scene and makes the mips of its images. Empty arrays get one element of zeros,
/// because a buffer cannot be empty; nothing refers to it.
SceneAsset pack_scene(SceneData scene);

/// A scene in a graph: the value of ports of type Scene. Buffers hold arrays of the structs of
/// tuff/scene.hpp, std430, which shaders/include/scene/scene.glsl declares.
struct Scene {
    static constexpr std::string_view kPortType = "Scene"; ///< name of the port type

    Buffer vertices; ///< Vertex
    Buffer indices;  ///< uint32
    Buffer draws;    ///< SceneDraw
    /// uvec2 a draw: its first vertex and its first triangle when those of all draws are numbered
    /// consecutively, with shared meshes counted each time. Undefined, like
    /// `geometry/triangles`, if 32 bits cannot count them.
    Buffer starts;
    Buffer transforms;         ///< SceneTransform
    Buffer materials;          ///< SceneMaterial
    std::vector<Image> images; ///< parallel to SceneData::images
    /// Counts, draws, bounds, names: see SceneAsset::data. If a pass has moved vertices,
    /// this is still the scene as it was loaded.
    std::shared_ptr<const SceneData> data;
    /// Whether the bounds in `data` are valid. Passes that move vertices set it to false.
    bool bounds_hold = true;
    /// Whether the vertices themselves change in each execution, not only their transforms.
    bool vertices_move = false;

    /// Whether it is connected.
    explicit operator bool() const { return data != nullptr; }
    /// Its buffers by name, for wires such as "engine.vertices".
    std::vector<PortMember> members() const;
};

/// The scene as constants of `graph`, called "name/vertices" and so on.
Scene add_scene(Graph& graph, std::string_view name, const SceneAsset& asset);

} // namespace tuff
