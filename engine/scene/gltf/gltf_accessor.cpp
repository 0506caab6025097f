#include "scene/gltf/gltf_accessor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tuff::gltf {
namespace {

/// Elements of an accessor that has no bytes behind it: nothing else bounds what a file may claim.
constexpr std::size_t kMaxUnbackedElements = std::size_t{1} << 22;

std::unexpected<Diagnostics> out_of_range(const std::string& owner, const std::string& what) {
    return fail("gltf/accessor-out-of-range", fmt::format("{}: {}", owner, what),
                "the file is damaged");
}

/// Equally spaced elements inside a buffer.
struct Elements {
    const unsigned char* first = nullptr;
    std::size_t stride = 0;
    std::size_t count = 0;

    const unsigned char* at(std::size_t i) const { return first + i * stride; }
};

/// `count` elements of `bytes` each, from byte `offset` of a view on. `stride` 0: packed.
Result<Elements> elements_of(const tinygltf::Model& model, int view, std::size_t offset,
                             std::size_t count, std::size_t bytes, std::size_t stride,
                             const std::string& owner) {
    auto data = view_bytes(model, view, owner);
    if (!data) return propagate(std::move(data));
    if (stride == 0) stride = bytes;
    if (stride < bytes)
        return fail("gltf/schema", fmt::format("{}: a stride of {} bytes is less than its elements "
                                               "of {} bytes",
                                               owner, stride, bytes));
    const bool fits = offset <= data->size() && bytes <= data->size() - offset &&
                      count - 1 <= (data->size() - offset - bytes) / stride;
    if (count != 0 && !fits)
        return out_of_range(owner, fmt::format("{} elements of {} bytes from byte {} on do not fit "
                                               "in a buffer view of {} bytes",
                                               count, bytes, offset, data->size()));
    return Elements{data->data() + (count == 0 ? 0 : offset), stride, count};
}

std::size_t component_bytes(int type) {
    switch (type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE: return 1;
    case TINYGLTF_COMPONENT_TYPE_SHORT:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT: return 2;
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
    case TINYGLTF_COMPONENT_TYPE_FLOAT: return 4;
    default: return 0;
    }
}

template <typename T>
T load(const unsigned char* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

/// One component as a float, by the table "Accessor data types" of the specification.
float to_float(int type, bool normalized, const unsigned char* at) {
    const auto scaled = [normalized](float value, float largest) {
        return normalized ? std::max(value / largest, -1.0f) : value;
    };
    switch (type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE: return scaled(load<std::int8_t>(at), 127.0f);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE: return scaled(load<std::uint8_t>(at), 255.0f);
    case TINYGLTF_COMPONENT_TYPE_SHORT: return scaled(load<std::int16_t>(at), 32767.0f);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT: return scaled(load<std::uint16_t>(at), 65535.0f);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
        return scaled(static_cast<float>(load<std::uint32_t>(at)), 4294967295.0f);
    default: return load<float>(at);
    }
}

std::uint32_t to_index(int type, const unsigned char* at) {
    if (type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE) return load<std::uint8_t>(at);
    if (type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT) return load<std::uint16_t>(at);
    return load<std::uint32_t>(at);
}

bool is_index_type(int type) {
    return type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE ||
           type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT ||
           type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;
}

/// Calls `write(element, bytes)` for each element in turn, then for each sparse substitute.
template <typename Write>
Result<void> for_each_element(const tinygltf::Model& model, const tinygltf::Accessor& accessor,
                              std::size_t bytes, const std::string& owner, Write write) {
    if (accessor.bufferView >= 0) {
        const auto& view = model.bufferViews[static_cast<std::size_t>(accessor.bufferView)];
        auto elements = elements_of(model, accessor.bufferView, accessor.byteOffset, accessor.count,
                                    bytes, view.byteStride, owner);
        if (!elements) return propagate(std::move(elements));
        write.reserve(accessor.count);
        for (std::size_t i = 0; i < accessor.count; ++i)
            write(i, elements->at(i));
    } else if (accessor.count > kMaxUnbackedElements) {
        return fail("gltf/too-large",
                    fmt::format("{}: {} elements without a buffer view, more than "
                                "{}",
                                owner, accessor.count, kMaxUnbackedElements));
    } else {
        write.reserve(accessor.count); // zeroes
    }
    if (!accessor.sparse.isSparse) return {};

    const auto& sparse = accessor.sparse;
    const std::size_t count = static_cast<std::size_t>(sparse.count);
    const std::string part = owner + " (sparse)";
    if (!is_index_type(sparse.indices.componentType))
        return fail("gltf/schema", fmt::format("{}: indices have component type {}", part,
                                               sparse.indices.componentType));
    auto places = elements_of(model, sparse.indices.bufferView,
                              static_cast<std::size_t>(sparse.indices.byteOffset), count,
                              component_bytes(sparse.indices.componentType), 0, part);
    if (!places) return propagate(std::move(places));
    auto values =
        elements_of(model, sparse.values.bufferView,
                    static_cast<std::size_t>(sparse.values.byteOffset), count, bytes, 0, part);
    if (!values) return propagate(std::move(values));
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t place = to_index(sparse.indices.componentType, places->at(i));
        if (place >= accessor.count)
            return out_of_range(part, fmt::format("element {} of {}", place, accessor.count));
        write(place, values->at(i));
    }
    return {};
}

struct FloatWriter {
    FloatArray& out;
    const tinygltf::Accessor& accessor;
    std::size_t each;

    void reserve(std::size_t count) { out.values.resize(count * out.components); }
    void operator()(std::size_t element, const unsigned char* bytes) {
        for (std::size_t c = 0; c < out.components; ++c)
            out.values[element * out.components + c] =
                to_float(accessor.componentType, accessor.normalized, bytes + c * each);
    }
};

struct IndexWriter {
    std::vector<std::uint32_t>& out;
    int type;

    void reserve(std::size_t count) { out.resize(count); }
    void operator()(std::size_t element, const unsigned char* bytes) {
        out[element] = to_index(type, bytes);
    }
};

} // namespace

Result<std::span<const unsigned char>> view_bytes(const tinygltf::Model& model, int view,
                                                  const std::string& owner) {
    if (view < 0 || static_cast<std::size_t>(view) >= model.bufferViews.size())
        return out_of_range(owner, fmt::format("there is no buffer view {}", view));
    const tinygltf::BufferView& facts = model.bufferViews[static_cast<std::size_t>(view)];
    if (facts.buffer < 0 || static_cast<std::size_t>(facts.buffer) >= model.buffers.size())
        return out_of_range(owner, fmt::format("there is no buffer {}", facts.buffer));
    const auto& data = model.buffers[static_cast<std::size_t>(facts.buffer)].data;
    if (facts.byteOffset > data.size() || facts.byteLength > data.size() - facts.byteOffset)
        return out_of_range(owner, fmt::format("buffer view {} reaches beyond its buffer", view));
    return std::span(data).subspan(facts.byteOffset, facts.byteLength);
}

Result<FloatArray> read_floats(const tinygltf::Model& model, int index, const std::string& owner) {
    const tinygltf::Accessor& accessor = model.accessors.at(static_cast<std::size_t>(index));
    FloatArray array;
    const int components =
        tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(accessor.type));
    const std::size_t each = component_bytes(accessor.componentType);
    const bool matrix = components == 16 && accessor.componentType == TINYGLTF_COMPONENT_TYPE_FLOAT;
    if (each == 0 || components < 1 || (components > 4 && !matrix))
        return fail("gltf/schema", fmt::format("{}: no attribute has component type {} and {} "
                                               "components",
                                               owner, accessor.componentType, components));
    array.components = static_cast<std::size_t>(components);
    auto done = for_each_element(model, accessor, each * array.components, owner,
                                 FloatWriter{array, accessor, each});
    if (!done) return propagate(std::move(done));
    return array;
}

Result<std::vector<std::uint32_t>> read_indices(const tinygltf::Model& model, int index,
                                                const std::string& owner) {
    const tinygltf::Accessor& accessor = model.accessors.at(static_cast<std::size_t>(index));
    if (accessor.type != TINYGLTF_TYPE_SCALAR || !is_index_type(accessor.componentType))
        return fail("gltf/schema",
                    fmt::format("{}: indices are unsigned integer scalars, not component type {}",
                                owner, accessor.componentType));
    std::vector<std::uint32_t> indices;
    auto done = for_each_element(model, accessor, component_bytes(accessor.componentType), owner,
                                 IndexWriter{indices, accessor.componentType});
    if (!done) return propagate(std::move(done));
    return indices;
}

} // namespace tuff::gltf
