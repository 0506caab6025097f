// OpenVDB: trees of texels, of which those that differ from the background are there. Tuff writes
// down which box of them is the volume; of files of others it is the box around the active texels.
#include "core/isolated.hpp"
#include "scene/volume/volume_codec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <spanstream>
#include <sstream>

namespace tuff::codec {
namespace {

constexpr const char* kVdbFormatKey = "tuff_format";
constexpr const char* kVdbSizeKey = "tuff_size";
constexpr const char* kVdbAnatomicalKey = "tuff_anatomical";
/// The fourth channel stands in a grid beside the vectors'.
constexpr std::string_view kVdbFourth = "_w";

void start_openvdb() {
    static std::once_flag once;
    std::call_once(once, [] { openvdb::initialize(); });
}

std::int32_t to_coordinate(std::size_t texel) {
    return static_cast<std::int32_t>(texel);
}

/// Calls `visit(coordinate, index)` for each texel, x fastest.
template <typename Visit>
void for_each_texel(Extent extent, const openvdb::Coord& first, Visit visit) {
    std::size_t index = 0;
    openvdb::Coord at;
    for (std::uint32_t z = 0; z < extent.depth; ++z)
        for (std::uint32_t y = 0; y < extent.height; ++y)
            for (std::uint32_t x = 0; x < extent.width; ++x) {
                at.reset(first.x() + to_coordinate(x), first.y() + to_coordinate(y),
                         first.z() + to_coordinate(z));
                visit(at, index++);
            }
}

/// The number of a grid as one of a file.
template <typename To, typename From>
To number_from(From value) {
    return static_cast<To>(value);
}

class VdbReader {
  public:
    explicit VdbReader(const VolumeFile& file) : file_(file), name_(file.name()) {}

    Result<StoredVolume> read() {
        // Threads that this process has forked from are not there.
        const tbb::global_control alone(tbb::global_control::max_allowed_parallelism, 1);
        start_openvdb();
        try {
            return read_grids();
        } catch (const std::bad_alloc&) {
            return corrupt_volume(name_, "it asks for more memory than there is");
        } catch (const std::exception& error) {
            return corrupt_volume(name_, error.what());
        }
    }

  private:
    Result<StoredVolume> read_grids() {
        const std::span<const char> text(reinterpret_cast<const char*>(file_.bytes.data()),
                                         file_.bytes.size());
        std::ispanstream stream(text);
        // The library asks of no read whether it got what it wanted.
        stream.exceptions(std::ios::failbit | std::ios::badbit | std::ios::eofbit);
        openvdb::io::Stream source(stream, false);
        grids_ = *source.getGrids();
        const openvdb::GridBase::ConstPtr grid = choose();
        if (!grid) {
            std::vector<std::string> names;
            for (const auto& known : grids_)
                names.push_back(known->getName());
            return fail("volume/no-such-array",
                        file_.options.array.empty()
                            ? fmt::format("'{}' has no grid", name_)
                            : fmt::format("'{}' has no grid \"{}\"", name_, file_.options.array),
                        names.empty() ? "" : fmt::format("its grids: {}", fmt::join(names, ", ")));
        }
        if (auto box = read_box(*grid); !box) return propagate(std::move(box));
        if (auto geometry = read_geometry(*grid); !geometry) return propagate(std::move(geometry));
        return read_numbers(grid);
    }

    openvdb::GridBase::ConstPtr choose() const {
        for (const auto& grid : grids_)
            if (file_.options.array.empty() || grid->getName() == file_.options.array) return grid;
        return nullptr;
    }

    Result<void> read_box(const openvdb::GridBase& grid) {
        const auto format = grid.getMetadata<openvdb::StringMetadata>(kVdbFormatKey);
        const auto size = grid.getMetadata<openvdb::Vec3IMetadata>(kVdbSizeKey);
        if (format && size) {
            stored_.format = format->value();
            first_ = openvdb::Coord(0);
            for (int i = 0; i < 3; ++i)
                size_[static_cast<std::size_t>(i)] =
                    static_cast<std::uint64_t>(std::max(size->value()[i], 0));
            return {};
        }
        const openvdb::CoordBBox box = grid.evalActiveVoxelBoundingBox();
        if (box.empty())
            return fail(
                "volume/empty",
                fmt::format("grid \"{}\" of '{}' has no active texel", grid.getName(), name_),
                "a volume has at least one");
        first_ = box.min();
        for (std::size_t i = 0; i < 3; ++i)
            size_[i] = static_cast<std::uint64_t>(std::int64_t{box.max()[i]} -
                                                  std::int64_t{box.min()[i]} + 1);
        return {};
    }

    Result<void> read_geometry(const openvdb::GridBase& grid) {
        const openvdb::math::Transform& transform = grid.transform();
        if (!transform.isLinear())
            return unsupported_volume(name_, "has a frustum of texels", "resample it to a box");
        const openvdb::Mat4R map = transform.baseMap()->getAffineMap()->getMat4();
        const openvdb::Vec3d origin = transform.indexToWorld(first_);
        std::array<std::array<double, 3>, 3> steps;
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::size_t c = 0; c < 3; ++c)
                steps[axis][c] = map[static_cast<int>(axis)][static_cast<int>(c)];
        auto geometry = geometry_of(name_, steps, {origin.x(), origin.y(), origin.z()});
        if (!geometry) return propagate(std::move(geometry));
        const auto anatomical = grid.getMetadata<openvdb::BoolMetadata>(kVdbAnatomicalKey);
        geometry->anatomical = anatomical && anatomical->value();
        stored_.geometry = *geometry;
        return {};
    }

    /// Room for the numbers, once it is known that they fit.
    Result<void> make_room(ElementType type, std::uint32_t channels) {
        if (auto fits = check_volume_size(name_, size_, channels, type); !fits) return fits;
        stored_.type = type;
        stored_.channels = channels;
        stored_.extent = {static_cast<std::uint32_t>(size_[0]),
                          static_cast<std::uint32_t>(size_[1]),
                          static_cast<std::uint32_t>(size_[2])};
        const std::uint64_t bytes = stored_bytes(stored_.extent, channels, type);
        allow_more_memory(2 * bytes); // and once more for another type
        stored_.numbers.resize(bytes);
        return {};
    }

    template <typename Number>
    void put(std::size_t index, std::uint32_t channel, Number value) {
        std::memcpy(&stored_.numbers[(index * stored_.channels + channel) * sizeof value], &value,
                    sizeof value);
    }

    template <typename Grid, typename Number>
    Result<void> read_scalars(const Grid& grid, ElementType type) {
        if (auto room = make_room(type, 1); !room) return room;
        const auto texels = grid.getConstAccessor();
        for_each_texel(stored_.extent, first_, [&](const openvdb::Coord& at, std::size_t index) {
            put(index, 0, number_from<Number>(texels.getValue(at)));
        });
        return {};
    }

    template <typename Grid, typename Number>
    Result<void> read_vectors(const Grid& grid, ElementType type) {
        const auto format = parse_format(stored_.format);
        const std::uint32_t channels = format ? info(*format).channels : 3;
        if (auto room = make_room(type, channels); !room) return room;
        const auto texels = grid.getConstAccessor();
        for_each_texel(stored_.extent, first_, [&](const openvdb::Coord& at, std::size_t index) {
            const auto vector = texels.getValue(at);
            for (std::uint32_t c = 0; c < std::min(channels, 3u); ++c)
                put(index, c, number_from<Number>(vector[static_cast<int>(c)]));
        });
        return channels == 4 ? read_fourth<Number>(grid.getName()) : Result<void>{};
    }

    template <typename Number>
    Result<void> read_fourth(const std::string& vectors) {
        using Scalars =
            std::conditional_t<std::is_integral_v<Number>, openvdb::Int32Grid, openvdb::FloatGrid>;
        for (const auto& grid : grids_) {
            if (grid->getName() != vectors + std::string(kVdbFourth)) continue;
            if (const auto scalars = openvdb::gridConstPtrCast<Scalars>(grid)) {
                const auto texels = scalars->getConstAccessor();
                for_each_texel(stored_.extent, first_,
                               [&](const openvdb::Coord& at, std::size_t index) {
                                   put(index, 3, number_from<Number>(texels.getValue(at)));
                               });
                return {};
            }
        }
        return corrupt_volume(name_, fmt::format("grid \"{}{}\" is missing", vectors, kVdbFourth));
    }

    Result<StoredVolume> read_numbers(const openvdb::GridBase::ConstPtr& grid) {
        using namespace openvdb;
        Result<void> read;
        if (const auto floats = gridConstPtrCast<FloatGrid>(grid))
            read = read_scalars<FloatGrid, float>(*floats, ElementType::f32);
        else if (const auto doubles = gridConstPtrCast<DoubleGrid>(grid))
            read = read_scalars<DoubleGrid, double>(*doubles, ElementType::f64);
        else if (const auto words = gridConstPtrCast<Int32Grid>(grid))
            read = read_scalars<Int32Grid, std::int32_t>(*words, ElementType::i32);
        else if (const auto longs = gridConstPtrCast<Int64Grid>(grid))
            read = read_scalars<Int64Grid, std::int64_t>(*longs, ElementType::i64);
        else if (const auto bools = gridConstPtrCast<BoolGrid>(grid))
            read = read_scalars<BoolGrid, float>(*bools, ElementType::f32);
        else if (const auto vectors = gridConstPtrCast<Vec3SGrid>(grid))
            read = read_vectors<Vec3SGrid, float>(*vectors, ElementType::f32);
        else if (const auto wide = gridConstPtrCast<Vec3DGrid>(grid))
            read = read_vectors<Vec3DGrid, double>(*wide, ElementType::f64);
        else if (const auto whole = gridConstPtrCast<Vec3IGrid>(grid))
            read = read_vectors<Vec3IGrid, std::int32_t>(*whole, ElementType::i32);
        else
            return unsupported_volume(name_, fmt::format("holds a grid of {}", grid->valueType()),
                                      "grids of numbers and of vectors of three are read");
        if (!read) return propagate(std::move(read));
        restore_type();
        return std::move(stored_);
    }

    /// The numbers as the format has them that Tuff wrote.
    void restore_type() {
        const auto format = parse_format(stored_.format);
        const auto element = format ? stored_element(info(*format)) : std::nullopt;
        if (!element || *element == ElementType::f16 || *element == stored_.type) return;
        const std::size_t each = element_bytes(stored_.type);
        std::vector<std::byte> numbers;
        for (std::size_t at = 0; at < stored_.numbers.size(); at += each)
            append_number_as(*element, stored_number(stored_.type, &stored_.numbers[at]), numbers);
        stored_.numbers = std::move(numbers);
        stored_.type = *element;
    }

    const VolumeFile& file_;
    std::string name_;
    openvdb::GridPtrVec grids_;
    openvdb::Coord first_;
    std::array<std::uint64_t, 3> size_{};
    StoredVolume stored_;
};

class VdbWriter {
  public:
    explicit VdbWriter(const VolumeToWrite& volume)
        : volume_(volume), extent_(volume.texels.image.extent), type_(volume.texels.type),
          channels_(volume.texels.channels), each_(element_bytes(type_)) {}

    EncodedVolume write() {
        start_openvdb();
        const bool floats = type_ == ElementType::f16 || type_ == ElementType::f32;
        if (!floats && !fits_in_words())
            return fail("image/unsupported", "OpenVDB has no grid of numbers above 2147483647",
                        "write .nrrd or .vti");
        if (floats)
            add_grids<openvdb::FloatGrid, openvdb::Vec3SGrid, float>();
        else
            add_grids<openvdb::Int32Grid, openvdb::Vec3IGrid, std::int32_t>();
        std::ostringstream stream(std::ios::binary);
        openvdb::io::Stream(stream).write(grids_);
        const std::string text = std::move(stream).str();
        const auto bytes = std::as_bytes(std::span(text));
        return std::vector(bytes.begin(), bytes.end());
    }

  private:
    double number(std::size_t index, std::uint32_t channel) const {
        return stored_number(type_, volume_.texels.image.texels.data() +
                                        (index * channels_ + channel) * each_);
    }

    bool fits_in_words() const {
        const std::size_t count = volume_.texels.image.texels.size() / each_;
        for (std::size_t i = 0; i < count; ++i)
            if (stored_number(type_, volume_.texels.image.texels.data() + i * each_) > 2147483647.0)
                return false;
        return true;
    }

    template <typename Scalars, typename Vectors, typename Number>
    void add_grids() {
        const std::string name(volume_.name);
        if (channels_ == 1) {
            add_grid<Scalars>(name,
                              [&](std::size_t i) { return static_cast<Number>(number(i, 0)); });
            return;
        }
        add_grid<Vectors>(name, [&](std::size_t i) {
            return typename Vectors::ValueType(
                static_cast<Number>(number(i, 0)), static_cast<Number>(number(i, 1)),
                static_cast<Number>(channels_ > 2 ? number(i, 2) : 0.0));
        });
        if (channels_ == 4)
            add_grid<Scalars>(name + std::string(kVdbFourth),
                              [&](std::size_t i) { return static_cast<Number>(number(i, 3)); });
    }

    openvdb::math::Transform::Ptr transform() const {
        const std::array<double, 3>& origin = volume_.geometry.origin;
        const openvdb::Vec3d start(origin[0], origin[1], origin[2]);
        const auto steps = steps_of(volume_.geometry);
        openvdb::Mat4R map = openvdb::Mat4R::identity();
        for (int axis = 0; axis < 3; ++axis)
            for (int c = 0; c < 3; ++c)
                map[axis][c] = steps[static_cast<std::size_t>(axis)][static_cast<std::size_t>(c)];
        map.setTranslation(start);
        return openvdb::math::Transform::createLinearTransform(map);
    }

    template <typename Grid, typename Value>
    void add_grid(const std::string& name, Value value) {
        auto grid = Grid::create();
        grid->setName(name);
        grid->setTransform(transform());
        grid->setSaveFloatAsHalf(type_ == ElementType::f16);
        grid->insertMeta(kVdbFormatKey, openvdb::StringMetadata(std::string(volume_.format())));
        grid->insertMeta(kVdbSizeKey, openvdb::Vec3IMetadata({to_coordinate(extent_.width),
                                                              to_coordinate(extent_.height),
                                                              to_coordinate(extent_.depth)}));
        if (volume_.geometry.anatomical)
            grid->insertMeta(kVdbAnatomicalKey, openvdb::BoolMetadata(true));
        auto texels = grid->getAccessor();
        using Texel = typename Grid::ValueType;
        const Texel zero = openvdb::zeroVal<Texel>();
        for_each_texel(extent_, openvdb::Coord(0), [&](const openvdb::Coord& at, std::size_t i) {
            const Texel here = value(i);
            // By its bits: a negative zero is another texel than the background.
            if (std::memcmp(&here, &zero, sizeof here) != 0) texels.setValue(at, here);
        });
        grids_.push_back(grid);
    }

    const VolumeToWrite& volume_;
    Extent extent_;
    ElementType type_;
    std::uint32_t channels_;
    std::size_t each_;
    openvdb::GridPtrVec grids_;
};

} // namespace
} // namespace tuff::codec

extern "C" {

/// What scene/volume/vdb_module.cpp calls, in a process of its own.
__attribute__((visibility("default"))) void
tuff_decode_vdb(const tuff::codec::VolumeFile& file, tuff::Result<tuff::StoredVolume>& volume) {
    volume = tuff::codec::VdbReader(file).read();
}

__attribute__((visibility("default"))) void
tuff_encode_vdb(const tuff::codec::VolumeToWrite& volume, tuff::codec::EncodedVolume& file) {
    try {
        file = tuff::codec::VdbWriter(volume).write();
    } catch (const std::exception& error) {
        file = tuff::fail("image/unwritable",
                          fmt::format("OpenVDB cannot write it: {}", error.what()));
    }
}

} // extern "C"
