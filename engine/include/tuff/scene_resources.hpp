#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/scene.hpp>

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace tuff {

/// A scene packed for the device: made once, shared by every graph that it enters.
struct SceneAsset {
    /// What the scene consists of, without `vertices`, `indices` and the texels of `images`, which
    /// lie below.
    std::shared_ptr<const SceneData> data;

    /// Shared, so that graphs which are built again upload nothing again.
    using Bytes = std::shared_ptr<const std::vector<std::byte>>;
    Bytes vertices;            ///< Vertex
    Bytes indices;             ///< uint32
    Bytes draws;               ///< SceneDraw
    Bytes starts;              ///< two uint32 a draw; see Scene::starts
    Bytes transforms;          ///< SceneTransform
    Bytes materials;           ///< SceneMaterial
    std::vector<Bytes> images; ///< parallel to SceneData::images, each with all its mips
};

/// Packs a scene and makes the mips of its images. Arrays that are empty get one element of zeros,
/// for a buffer cannot be empty; nothing refers to it.
SceneAsset pack_scene(SceneData scene);

/// A scene in a graph: what ports of type Scene carry. Buffers hold arrays of the structs of
/// tuff/scene.hpp, std430, which shaders/include/scene/scene.glsl declares.
struct Scene {
    static constexpr std::string_view kPortType = "Scene"; ///< what wires call the type

    Buffer vertices; ///< Vertex
    Buffer indices;  ///< uint32
    Buffer draws;    ///< SceneDraw
    /// uvec2 a draw: its first vertex and its first triangle where the vertices and triangles of
    /// all draws follow one another, those of shared meshes each time. Meaningless, like
    /// `geometry/triangles`, where they are more than 32 bits count.
    Buffer starts;
    Buffer transforms;         ///< SceneTransform
    Buffer materials;          ///< SceneMaterial
    std::vector<Image> images; ///< parallel to SceneData::images
    /// Counts, draws, bounds, names: see SceneAsset::data. Where a pass has moved vertices it
    /// speaks of the scene as it was loaded.
    std::shared_ptr<const SceneData> data;
    /// Whether the bounds in `data` hold what is drawn. Passes that move vertices say no.
    bool bounds_hold = true;
    /// Whether the vertices are others in each execution, and not only their transforms.
    bool vertices_move = false;

    /// Whether it is connected.
    explicit operator bool() const { return data != nullptr; }
    /// Its buffers by name, for wires such as "engine.vertices".
    std::vector<PortMember> members() const;
};

/// The scene as constants of `graph`, called "name/vertices" and so on.
Scene add_scene(Graph& graph, std::string_view name, const SceneAsset& asset);

} // namespace tuff
