#include "scene/files.hpp"

#include <tuff/mesh.hpp>

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

namespace tuff {
namespace {

static_assert(std::endian::native == std::endian::little); // numbers go to files as they are

constexpr std::uint32_t kPackedMagic = 0x6853654d;
constexpr std::array<std::string_view, 4> kSavedMeshExtensions{".ply", ".obj", ".glb", ".gltf"};

template <typename T>
void append_elements(std::vector<std::byte>& bytes, const std::vector<T>& elements) {
    const auto* first = reinterpret_cast<const std::byte*>(elements.data());
    bytes.insert(bytes.end(), first, first + sizeof(T) * elements.size());
}

void append_text(std::vector<std::byte>& bytes, std::string_view text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    bytes.insert(bytes.end(), first, first + text.size());
}

void append_word(std::vector<std::byte>& bytes, std::uint32_t word) {
    append_elements(bytes, std::vector{word});
}

std::vector<std::byte> ply_file(const HostMesh& mesh) {
    std::vector<std::byte> bytes;
    append_text(bytes, fmt::format("ply\nformat binary_little_endian 1.0\nelement vertex {}\n"
                                   "property float x\nproperty float y\nproperty float z\n{}"
                                   "element face {}\nproperty list uchar uint vertex_indices\n"
                                   "end_header\n",
                                   mesh.positions.size(),
                                   mesh.normals.empty() ? ""
                                                        : "property float nx\nproperty float ny\n"
                                                          "property float nz\n",
                                   mesh.triangles.size()));
    const auto append_vector = [&](glm::vec3 vector) {
        const auto numbers = std::bit_cast<std::array<std::byte, sizeof(vector)>>(vector);
        bytes.insert(bytes.end(), numbers.begin(), numbers.end());
    };
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        append_vector(mesh.positions[i]);
        if (!mesh.normals.empty()) append_vector(mesh.normals[i]);
    }
    for (const auto& triangle : mesh.triangles) {
        bytes.push_back(std::byte{3});
        const auto corners = std::bit_cast<std::array<std::byte, sizeof(triangle)>>(triangle);
        bytes.insert(bytes.end(), corners.begin(), corners.end());
    }
    return bytes;
}

std::vector<std::byte> obj_file(const HostMesh& mesh) {
    std::string text;
    const auto to = std::back_inserter(text);
    for (const glm::vec3 p : mesh.positions)
        fmt::format_to(to, "v {} {} {}\n", p.x, p.y, p.z);
    for (const glm::vec3 n : mesh.normals)
        fmt::format_to(to, "vn {} {} {}\n", n.x, n.y, n.z);
    for (const auto& triangle : mesh.triangles) {
        text += 'f';
        for (const std::uint32_t corner : triangle)
            if (mesh.normals.empty())
                fmt::format_to(to, " {}", std::uint64_t{corner} + 1);
            else
                fmt::format_to(to, " {0}//{0}", std::uint64_t{corner} + 1);
        text += '\n';
    }
    std::vector<std::byte> bytes;
    append_text(bytes, text);
    return bytes;
}

/// Positions, normals and indices, one after the other.
std::vector<std::byte> gltf_numbers(const HostMesh& mesh) {
    std::vector<std::byte> bytes;
    append_elements(bytes, mesh.positions);
    append_elements(bytes, mesh.normals);
    append_elements(bytes, mesh.triangles);
    return bytes;
}

/// `uri`: of the numbers; empty where they stand behind it.
std::string gltf_text(const HostMesh& mesh, std::string_view uri) {
    glm::vec3 low = mesh.positions.front();
    glm::vec3 high = low;
    for (const glm::vec3 position : mesh.positions) {
        low = glm::min(low, position);
        high = glm::max(high, position);
    }
    const std::size_t vertices = mesh.positions.size();
    const std::size_t positions = 12 * vertices;
    const std::size_t normals = mesh.normals.empty() ? 0 : positions;
    const std::size_t indices = 12 * mesh.triangles.size();
    const bool has_normals = normals > 0;
    std::string views = fmt::format(R"({{"buffer":0,"byteLength":{},"target":34962}})", positions);
    std::string accessors =
        fmt::format(R"({{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3",)"
                    R"("min":[{},{},{}],"max":[{},{},{}]}})",
                    vertices, low.x, low.y, low.z, high.x, high.y, high.z);
    if (has_normals) {
        views += fmt::format(R"(,{{"buffer":0,"byteOffset":{},"byteLength":{},"target":34962}})",
                             positions, normals);
        accessors += fmt::format(
            R"(,{{"bufferView":1,"componentType":5126,"count":{},"type":"VEC3"}})", vertices);
    }
    views += fmt::format(R"(,{{"buffer":0,"byteOffset":{},"byteLength":{},"target":34963}})",
                         positions + normals, indices);
    accessors +=
        fmt::format(R"(,{{"bufferView":{},"componentType":5125,"count":{},"type":"SCALAR"}})",
                    has_normals ? 2 : 1, 3 * mesh.triangles.size());
    return fmt::format(
        R"({{"asset":{{"version":"2.0","generator":"Tuff"}},"scene":0,"scenes":[{{"nodes":[0]}}],)"
        R"("nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0{}}},)"
        R"("indices":{}}}]}}],"buffers":[{{{}"byteLength":{}}}],"bufferViews":[{}],)"
        R"("accessors":[{}]}})",
        has_normals ? R"(,"NORMAL":1)" : "", has_normals ? 2 : 1,
        uri.empty() ? std::string() : fmt::format(R"("uri":"{}",)", uri),
        positions + normals + indices, views, accessors);
}

std::string base64(std::span<const std::byte> bytes) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = 0;
        for (std::size_t k = 0; k < 3; ++k)
            three = three << 8 |
                    (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            text += i + k > bytes.size() ? '=' : kDigits[three >> (18 - 6 * k) & 63];
    }
    return text;
}

std::vector<std::byte> gltf_file(const HostMesh& mesh) {
    std::vector<std::byte> bytes;
    append_text(bytes, gltf_text(mesh, "data:application/octet-stream;base64," +
                                           base64(gltf_numbers(mesh))));
    return bytes;
}

std::vector<std::byte> glb_file(const HostMesh& mesh) {
    std::string text = gltf_text(mesh, {});
    while (text.size() % 4 != 0)
        text += ' ';
    const std::vector<std::byte> numbers = gltf_numbers(mesh);
    const auto size_of = [](std::size_t size) { return static_cast<std::uint32_t>(size); };
    std::vector<std::byte> bytes;
    append_text(bytes, "glTF");
    append_word(bytes, 2);
    append_word(bytes, size_of(28 + text.size() + numbers.size()));
    append_word(bytes, size_of(text.size()));
    append_text(bytes, "JSON");
    append_text(bytes, text);
    append_word(bytes, size_of(numbers.size()));
    append_text(bytes, std::string_view("BIN\0", 4));
    bytes.insert(bytes.end(), numbers.begin(), numbers.end());
    return bytes;
}

std::unexpected<Diagnostics> not_packed() {
    return fail("mesh/not-packed", "the buffer does not hold a mesh",
                "connect \"file\" of geometry/mesh_file to the output");
}

Result<void> check_mesh(const std::filesystem::path& path, const HostMesh& mesh) {
    const bool normals_fit = mesh.normals.empty() || mesh.normals.size() == mesh.positions.size();
    const bool in_range = std::ranges::all_of(mesh.triangles, [&](const auto& triangle) {
        return std::ranges::all_of(
            triangle, [&](std::uint32_t corner) { return corner < mesh.positions.size(); });
    });
    if (!normals_fit || !in_range)
        return fail("mesh/index-out-of-range",
                    fmt::format("the mesh for '{}' refers to vertices or normals that do not exist",
                                path.string()));
    const std::string extension = lower_extension(path);
    const bool is_gltf = extension == ".glb" || extension == ".gltf";
    if (is_gltf && mesh.triangles.empty())
        return fail("mesh/empty",
                    fmt::format("the mesh for '{}' has no triangles, which glTF cannot store",
                                path.string()),
                    "write .ply or .obj");
    return {};
}

} // namespace

Result<HostMesh> unpack_mesh(std::span<const std::byte> bytes) {
    const std::uint64_t words = bytes.size() / 4;
    std::array<std::uint32_t, kPackedMeshHeader> header{};
    if (words < header.size()) return not_packed();
    std::memcpy(header.data(), bytes.data(), sizeof(header));
    const auto [magic, vertices, triangles, normals_at, indices_at, a, b, c] = header;
    const auto fits = [&](std::uint64_t at, std::uint64_t elements) {
        return at >= kPackedMeshHeader && at + 3 * elements <= words;
    };
    if (magic != kPackedMagic || !fits(kPackedMeshHeader, vertices) ||
        !fits(indices_at, triangles) || (normals_at != 0 && !fits(normals_at, vertices)))
        return not_packed();
    HostMesh mesh;
    const auto take = [&](auto& elements, std::uint64_t at, std::size_t count) {
        elements.resize(count);
        if (count > 0) std::memcpy(elements.data(), bytes.data() + 4 * at, 12 * count);
    };
    take(mesh.positions, kPackedMeshHeader, vertices);
    if (normals_at != 0) take(mesh.normals, normals_at, vertices);
    take(mesh.triangles, indices_at, triangles);
    return mesh;
}

std::span<const std::string_view> saved_mesh_extensions() {
    return kSavedMeshExtensions;
}

bool is_mesh_file(const std::filesystem::path& path) {
    return std::ranges::find(kSavedMeshExtensions, lower_extension(path)) !=
           kSavedMeshExtensions.end();
}

Result<void> save_mesh(const std::filesystem::path& path, const HostMesh& mesh) {
    if (!is_mesh_file(path))
        return fail("mesh/unknown-format",
                    fmt::format("meshes are not written as '{}'", path.string()),
                    "write .ply, .obj, .glb or .gltf");
    if (auto right = check_mesh(path, mesh); !right) return right;
    const std::string extension = lower_extension(path);
    if (extension == ".ply") return write_file(path, ply_file(mesh));
    if (extension == ".obj") return write_file(path, obj_file(mesh));
    return write_file(path, extension == ".glb" ? glb_file(mesh) : gltf_file(mesh));
}

} // namespace tuff
