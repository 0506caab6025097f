#pragma once

#include <tuff/diagnostic.hpp>

#include <tiny_gltf.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tuff::gltf {

/// Elements of an accessor as floats, `components` each, normalised integers divided out.
struct FloatArray {
    std::vector<float> values;
    std::size_t components = 0;

    std::size_t count() const { return components == 0 ? 0 : values.size() / components; }
};

/// Reads an accessor of any component type the specification allows, sparse ones included, with
/// every byte checked against view and buffer. `owner` begins the messages ("mesh 0 'Cube',
/// primitive 2: POSITION"). Memory is taken only for elements that the file holds.
/// Errors: gltf/accessor-out-of-range, gltf/schema.
Result<FloatArray> read_floats(const tinygltf::Model& model, int accessor,
                               const std::string& owner);

/// The same for vertex indices: scalar unsigned integers.
Result<std::vector<std::uint32_t>> read_indices(const tinygltf::Model& model, int accessor,
                                                const std::string& owner);

/// The bytes of a buffer view. Error: gltf/accessor-out-of-range.
Result<std::span<const unsigned char>> view_bytes(const tinygltf::Model& model, int view,
                                                  const std::string& owner);

} // namespace tuff::gltf
