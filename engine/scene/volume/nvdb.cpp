// NanoVDB: the tree of OpenVDB as one block of memory, as devices walk it. Texels that are not 0
// are active, and so are the first and the last one of what Tuff wrote: the box around the active
// texels is the volume.
#include "core/isolated.hpp"
#include "scene/volume/isolated.hpp"
#include "scene/volume/volume_codec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#define NANOVDB_USE_ZIP
#include <nanovdb/util/GridBuilder.h>
#include <nanovdb/util/GridChecksum.h>
#include <nanovdb/util/IO.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <spanstream>
#include <sstream>

namespace tuff::codec {
namespace {

std::int32_t coordinate_of(std::size_t texel) {
    return static_cast<std::int32_t>(texel);
}

/// Calls `visit(coordinate, index)` for each texel, x fastest.
template <typename Visit>
void for_each_nano_texel(Extent extent, const nanovdb::Coord& first, Visit visit) {
    std::size_t index = 0;
    for (std::uint32_t z = 0; z < extent.depth; ++z)
        for (std::uint32_t y = 0; y < extent.height; ++y)
            for (std::uint32_t x = 0; x < extent.width; ++x)
                visit(nanovdb::Coord(first[0] + coordinate_of(x), first[1] + coordinate_of(y),
                                     first[2] + coordinate_of(z)),
                      index++);
}

class NvdbReader {
  public:
    explicit NvdbReader(const VolumeFile& file) : file_(file), name_(file.name()) {}

    Result<StoredVolume> read() {
        try {
            return read_grids();
        } catch (const std::bad_alloc&) {
            return corrupt_volume(name_, "it asks for more memory than there is");
        } catch (const std::exception& error) {
            return corrupt_volume(name_, error.what());
        }
    }

  private:
    std::ispanstream stream() const {
        std::ispanstream stream(file_.text());
        // The library asks of no read whether it got what it wanted.
        stream.exceptions(std::ios::failbit | std::ios::badbit | std::ios::eofbit);
        return stream;
    }

    Result<StoredVolume> read_grids() {
        std::vector<std::string> names;
        std::ispanstream heads = stream();
        const auto size = static_cast<std::streamoff>(file_.bytes.size());
        std::uint64_t chosen = 0;
        bool found = false;
        while (heads.tellg() < size) {
            nanovdb::io::Segment segment;
            if (!segment.read(heads)) break;
            std::uint64_t bytes = 0;
            for (const nanovdb::io::GridMetaData& grid : segment.meta) {
                if (!found &&
                    (file_.options.array.empty() || grid.gridName == file_.options.array)) {
                    chosen = names.size();
                    found = true;
                }
                names.push_back(grid.gridName);
                bytes += grid.fileSize;
            }
            if (bytes > file_.bytes.size()) return corrupt_volume(name_, "it ends early");
            heads.seekg(static_cast<std::streamoff>(bytes), std::ios::cur);
        }
        if (!found)
            return fail("volume/no-such-array",
                        file_.options.array.empty()
                            ? fmt::format("'{}' has no grid", name_)
                            : fmt::format("'{}' has no grid \"{}\"", name_, file_.options.array),
                        names.empty() ? "" : fmt::format("its grids: {}", fmt::join(names, ", ")));
        std::ispanstream source = stream();
        const auto handle = nanovdb::io::readGrid(source, chosen);
        return read_grid(handle);
    }

    Result<StoredVolume> read_grid(const nanovdb::GridHandle<>& handle) {
        const nanovdb::GridMetaData* head = handle.gridMetaData();
        if (!head || !head->isValid()) return corrupt_volume(name_, "its grid has no head");
        using nanovdb::GridType;
        switch (head->gridType()) {
        case GridType::Float: return scalars<float, float>(handle, ElementType::f32);
        case GridType::Double: return scalars<double, double>(handle, ElementType::f64);
        case GridType::Int32: return scalars<std::int32_t, std::int32_t>(handle, ElementType::i32);
        case GridType::Int64: return scalars<std::int64_t, std::int64_t>(handle, ElementType::i64);
        case GridType::Fp4: return scalars<nanovdb::Fp4, float>(handle, ElementType::f32);
        case GridType::Fp8: return scalars<nanovdb::Fp8, float>(handle, ElementType::f32);
        case GridType::Fp16: return scalars<nanovdb::Fp16, float>(handle, ElementType::f32);
        case GridType::FpN: return scalars<nanovdb::FpN, float>(handle, ElementType::f32);
        case GridType::Vec3f: return vectors<nanovdb::Vec3f, float, 3>(handle, ElementType::f32);
        case GridType::Vec4f: return vectors<nanovdb::Vec4f, float, 4>(handle, ElementType::f32);
        case GridType::Vec3d: return vectors<nanovdb::Vec3d, double, 3>(handle, ElementType::f64);
        case GridType::Vec4d: return vectors<nanovdb::Vec4d, double, 4>(handle, ElementType::f64);
        default:
            return unsupported_volume(
                name_, fmt::format("holds a grid of {}", nanovdb::toStr(head->gridType())),
                "grids of numbers and of vectors of three or four are read");
        }
    }

    /// `put(grid's accessor, coordinate, where its numbers go)` for each texel.
    template <typename Build, typename Put>
    Result<StoredVolume> texels(const nanovdb::GridHandle<>& handle, ElementType type,
                                std::uint32_t channels, Put put) {
        const nanovdb::NanoGrid<Build>* grid = handle.grid<Build>();
        // Where the file has a sum it is that of what follows: damage is found before it is
        // followed.
        if (!grid || !nanovdb::validateChecksum(*grid, nanovdb::ChecksumMode::Full))
            return corrupt_volume(name_, "its numbers do not have the checksum that it gives");
        if (grid->activeVoxelCount() == 0)
            return fail(
                "volume/empty",
                fmt::format("grid \"{}\" of '{}' has no active texel", grid->gridName(), name_),
                "a volume has at least one");
        const nanovdb::CoordBBox box = grid->indexBBox();
        std::array<std::uint64_t, 3> size{};
        for (nanovdb::Coord::IndexType axis = 0; axis < 3; ++axis)
            size[axis] = static_cast<std::uint64_t>(
                std::max(std::int64_t{box.max()[axis]} - box.min()[axis] + 1, std::int64_t{0}));
        if (auto fits = check_volume_size(name_, size, channels, type); !fits)
            return propagate(std::move(fits));
        StoredVolume stored{.extent = {static_cast<std::uint32_t>(size[0]),
                                       static_cast<std::uint32_t>(size[1]),
                                       static_cast<std::uint32_t>(size[2])},
                            .type = type,
                            .channels = channels};
        auto geometry = geometry_in(*grid, box.min());
        if (!geometry) return propagate(std::move(geometry));
        stored.geometry = *geometry;
        const std::uint64_t bytes = stored_bytes(stored.extent, channels, type);
        allow_more_memory(2 * bytes);
        stored.numbers.resize(bytes);
        const auto accessor = grid->getAccessor();
        const std::size_t each = element_bytes(type) * channels;
        for_each_nano_texel(stored.extent, box.min(),
                            [&](const nanovdb::Coord& at, std::size_t index) {
                                put(accessor, at, &stored.numbers[index * each]);
                            });
        return stored;
    }

    template <typename Grid>
    Result<VolumeGeometry> geometry_in(const Grid& grid, const nanovdb::Coord& first) const {
        const auto world = [&](int axis) {
            nanovdb::Vec3d at(first[0], first[1], first[2]);
            if (axis >= 0) at[axis] += 1.0;
            return grid.map().applyMap(at);
        };
        const nanovdb::Vec3d origin = world(-1);
        std::array<std::array<double, 3>, 3> steps{};
        for (int axis = 0; axis < 3; ++axis) {
            nanovdb::Vec3d unit(0.0);
            unit[axis] = 1.0;
            const nanovdb::Vec3d step = grid.map().applyJacobian(unit);
            for (int c = 0; c < 3; ++c)
                steps[static_cast<std::size_t>(axis)][static_cast<std::size_t>(c)] = step[c];
        }
        return geometry_of(name_, steps, {origin[0], origin[1], origin[2]});
    }

    template <typename Build, typename Number>
    Result<StoredVolume> scalars(const nanovdb::GridHandle<>& handle, ElementType type) {
        return texels<Build>(handle, type, 1,
                             [](const auto& accessor, const nanovdb::Coord& at, std::byte* to) {
                                 const auto value = static_cast<Number>(accessor.getValue(at));
                                 std::memcpy(to, &value, sizeof value);
                             });
    }

    template <typename Build, typename Number, int Channels>
    Result<StoredVolume> vectors(const nanovdb::GridHandle<>& handle, ElementType type) {
        return texels<Build>(handle, type, Channels,
                             [](const auto& accessor, const nanovdb::Coord& at, std::byte* to) {
                                 const Build value = accessor.getValue(at);
                                 for (int c = 0; c < Channels; ++c) {
                                     const Number number = value[c];
                                     std::memcpy(to + static_cast<std::size_t>(c) * sizeof number,
                                                 &number, sizeof number);
                                 }
                             });
    }

    const VolumeFile& file_;
    std::string name_;
};

class NvdbWriter {
  public:
    explicit NvdbWriter(const VolumeToWrite& volume)
        : volume_(volume), extent_(volume.texels.image.extent) {}

    EncodedVolume write() const {
        const StoredTexels& texels = volume_.texels;
        const bool one = texels.channels == 1;
        const bool half = texels.type == ElementType::f16;
        if ((texels.type != ElementType::f32 && !half) || (!one && texels.channels != 4))
            return fail(
                "image/unsupported",
                fmt::format("a grid of NanoVDB cannot be told to be one of {}", volume_.format()),
                "write one or four floats a texel, or .vdb");
        const std::vector<std::byte> floats =
            half ? floats_of_halves(texels.image.texels) : texels.image.texels;
        return one ? grid<float>(floats) : grid<nanovdb::Vec4f>(floats);
    }

  private:
    nanovdb::Map map() const {
        const auto steps = steps_of(volume_.geometry);
        glm::dmat3 forth(0.0);
        for (int axis = 0; axis < 3; ++axis)
            for (int c = 0; c < 3; ++c)
                forth[axis][c] = steps[static_cast<std::size_t>(axis)][static_cast<std::size_t>(c)];
        const glm::dmat3 back = glm::inverse(forth);
        double matrix[4][4]{};
        double inverse[4][4]{};
        for (int axis = 0; axis < 3; ++axis) {
            for (int c = 0; c < 3; ++c) {
                matrix[axis][c] = forth[axis][c];
                inverse[axis][c] = back[axis][c];
            }
            matrix[3][axis] = volume_.geometry.origin[static_cast<std::size_t>(axis)];
        }
        matrix[3][3] = inverse[3][3] = 1.0;
        nanovdb::Map result;
        result.set(matrix, inverse, 1.0);
        return result;
    }

    template <typename Value>
    EncodedVolume grid(const std::vector<std::byte>& numbers) const {
        nanovdb::GridBuilder<Value> builder(Value(0.0f));
        auto accessor = builder.getAccessor();
        const std::size_t last = std::size_t{extent_.width} * extent_.height * extent_.depth - 1;
        for_each_nano_texel(
            extent_, nanovdb::Coord(0), [&](const nanovdb::Coord& at, std::size_t index) {
                const auto from = std::span(numbers).subspan(index * sizeof(Value), sizeof(Value));
                const bool empty =
                    std::ranges::all_of(from, [](std::byte b) { return b == std::byte{0}; });
                if (empty && index != 0 && index != last) return;
                accessor.setValue(at, value_of<Value>(from));
            });
        auto handle = builder.getHandle(map(), std::string(volume_.name));
        // Of all numbers: the library's default is that of the head alone.
        if (auto* grid = handle.template grid<Value>())
            nanovdb::updateChecksum(*grid, nanovdb::ChecksumMode::Full);
        nanovdb::io::Segment segment;
        segment.add(handle);
        segment.meta[0].fileSize = handle.size();
        std::ostringstream stream(std::ios::binary);
        segment.write(stream);
        stream.write(reinterpret_cast<const char*>(handle.data()),
                     static_cast<std::streamsize>(handle.size()));
        const std::string text = std::move(stream).str();
        const auto bytes = std::as_bytes(std::span(text));
        return std::vector(bytes.begin(), bytes.end());
    }

    template <typename Value>
    static Value value_of(std::span<const std::byte> bytes) {
        std::array<float, sizeof(Value) / sizeof(float)> numbers{};
        std::memcpy(numbers.data(), bytes.data(), sizeof numbers);
        if constexpr (numbers.size() == 1)
            return numbers[0];
        else
            return Value(numbers[0], numbers[1], numbers[2], numbers[3]);
    }

    const VolumeToWrite& volume_;
    Extent extent_;
};

} // namespace

Result<StoredVolume> decode_nvdb(const VolumeFile& file) {
    // A packed grid may be far larger than its file, a tile of a tree yet larger.
    constexpr std::uint64_t kMemory = std::uint64_t{4} << 30;
    return read_isolated(file.name(), kMemory, file.bytes.size(),
                         [&] { return NvdbReader(file).read(); });
}

EncodedVolume encode_nvdb(const VolumeToWrite& volume) {
    try {
        return NvdbWriter(volume).write();
    } catch (const std::exception& error) {
        return fail("image/unsupported", fmt::format("NanoVDB cannot hold it: {}", error.what()));
    }
}

} // namespace tuff::codec
