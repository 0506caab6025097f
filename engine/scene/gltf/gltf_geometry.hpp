#pragma once

#include "scene/mesh/geometry.hpp"

#include <tiny_gltf.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tuff::gltf {

/// Reads one primitive as a triangle list with normals; an empty one when the primitive is skipped.
/// `tangent_uv` asks for tangents along the
/// u direction of that uv set where the file has none. `owner` begins the messages.
Result<Geometry> read_geometry(const tinygltf::Model& model, const tinygltf::Primitive& primitive,
                               std::optional<std::uint32_t> tangent_uv, const std::string& owner,
                               Diagnostics& warnings);

/// Gives every vertex a tangent from the texture coordinates of its triangles; see load_gltf.
void make_tangents(Geometry& geometry, std::uint32_t uv_set);

/// Corners in the order of a triangle list.
std::vector<std::uint32_t> unroll_strip(const std::vector<std::uint32_t>& strip);
std::vector<std::uint32_t> unroll_fan(const std::vector<std::uint32_t>& fan);

} // namespace tuff::gltf
