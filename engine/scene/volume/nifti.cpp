// NIfTI-1 and NIfTI-2: a header, then the numbers, x fastest. The library reads and writes headers;
// files are read and written as all others are, so that their sizes are known before memory is
// taken.
#include "scene/volume/gzip.hpp"
#include "scene/volume/volume_codec.hpp"

#include <fmt/format.h>
#include <nifti2_io.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>

namespace tuff::codec {
namespace {

constexpr std::size_t kNifti1Bytes = 348;
constexpr std::size_t kNifti2Bytes = 540;
constexpr std::int64_t kMaxNiftiHeader = std::int64_t{1} << 24; ///< with its extensions
constexpr std::string_view kNiftiTag = "Tuff ";                 ///< begins the description

using NiftiImage = std::unique_ptr<nifti_image, decltype(&nifti_image_free)>;

struct NiftiType {
    int code;
    ElementType type;
    std::uint32_t channels;
};

constexpr std::array kNiftiTypes = {
    NiftiType{NIFTI_TYPE_UINT8, ElementType::u8, 1},
    NiftiType{NIFTI_TYPE_INT16, ElementType::i16, 1},
    NiftiType{NIFTI_TYPE_INT32, ElementType::i32, 1},
    NiftiType{NIFTI_TYPE_FLOAT32, ElementType::f32, 1},
    NiftiType{NIFTI_TYPE_FLOAT64, ElementType::f64, 1},
    NiftiType{NIFTI_TYPE_INT8, ElementType::i8, 1},
    NiftiType{NIFTI_TYPE_UINT16, ElementType::u16, 1},
    NiftiType{NIFTI_TYPE_UINT32, ElementType::u32, 1},
    NiftiType{NIFTI_TYPE_INT64, ElementType::i64, 1},
    NiftiType{NIFTI_TYPE_UINT64, ElementType::u64, 1},
    NiftiType{NIFTI_TYPE_RGB24, ElementType::u8, 3},
    NiftiType{NIFTI_TYPE_RGBA32, ElementType::u8, 4},
};

/// `length` bytes from `offset` on, unpacked where the file is packed.
std::optional<std::vector<std::byte>> part_of(std::span<const std::byte> file, std::uint64_t offset,
                                              std::uint64_t length) {
    if (is_gzip(file)) return inflate_part(file, offset, length);
    if (offset > file.size() || length > file.size() - offset) return std::nullopt;
    const auto part =
        file.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
    return std::vector(part.begin(), part.end());
}

/// 1 or 2 by the header's signature; 0 for other files.
int nifti_version(std::span<const std::byte> file) {
    const auto head = part_of(file, 0, kNifti1Bytes);
    if (!head) return 0;
    const auto text_at = [&](std::size_t at) {
        return std::string_view(reinterpret_cast<const char*>(head->data()) + at, 4);
    };
    using namespace std::string_view_literals;
    if (text_at(344) == "n+1\0"sv || text_at(344) == "ni1\0"sv) return 1;
    if (text_at(4) == "n+2\0"sv || text_at(4) == "ni2\0"sv) return 2;
    return 0;
}

/// Whether a header says that the numbers begin within reason. The library makes a whole number of
/// it whatever it is.
bool begins_soon(std::vector<std::byte> header, int version) {
    std::int32_t header_bytes = 0;
    std::memcpy(&header_bytes, header.data(), sizeof header_bytes);
    const bool swapped = header_bytes != (version == 1 ? static_cast<std::int32_t>(kNifti1Bytes)
                                                       : static_cast<std::int32_t>(kNifti2Bytes));
    constexpr std::size_t kOffset1 = 108;
    constexpr std::size_t kOffset2 = 168;
    constexpr auto kMax = static_cast<float>(kMaxNiftiHeader);
    if (version == 1) {
        if (swapped) swap_bytes(std::span(header).subspan(kOffset1, sizeof(float)), sizeof(float));
        float offset = 0;
        std::memcpy(&offset, &header[kOffset1], sizeof offset);
        return offset >= 0 && offset <= kMax;
    }
    if (swapped) swap_bytes(std::span(header).subspan(kOffset2, 8), 8);
    std::int64_t offset = 0;
    std::memcpy(&offset, &header[kOffset2], sizeof offset);
    return offset >= 0 && offset <= kMaxNiftiHeader;
}

/// What the library makes of a header, which names no file.
NiftiImage read_nifti_header(const std::vector<std::byte>& bytes, int version) {
    nifti_set_debug_level(0);
    nifti_image* image = nullptr;
    if (version == 1) {
        nifti_1_header header;
        std::memcpy(&header, bytes.data(), sizeof header);
        image = nifti_convert_n1hdr2nim(header, nullptr);
    } else {
        nifti_2_header header;
        std::memcpy(&header, bytes.data(), sizeof header);
        image = nifti_convert_n2hdr2nim(header, nullptr);
    }
    return {image, &nifti_image_free};
}

Result<VolumeGeometry> nifti_geometry(std::string_view name, const nifti_image& image,
                                      bool has_own_spacing) {
    VolumeGeometry geometry{.spacing = {image.dx, image.dy, image.dz}};
    if (auto sound = check_geometry(name, geometry); !sound && has_own_spacing)
        return propagate(std::move(sound));
    if (image.sform_code <= 0 && image.qform_code <= 0) return geometry;
    const nifti_dmat44& to_world = image.sform_code > 0 ? image.sto_xyz : image.qto_xyz;
    std::array<std::array<double, 3>, 3> steps;
    std::array<double, 3> origin;
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            steps[axis][c] = to_world.m[c][axis];
        origin[c] = to_world.m[c][3];
    }
    auto placed = geometry_of(name, steps, origin);
    if (!placed) return placed;
    // Tuff says so of worlds that are nobody's.
    const bool is_plain = std::string_view(image.descrip).starts_with(kNiftiTag) &&
                          image.sform_code == NIFTI_XFORM_ALIGNED_ANAT;
    placed->anatomical = !is_plain;
    return placed;
}

/// The type of number that a volume is written in.
int nifti_code(ElementType type) {
    const auto found = std::ranges::find_if(kNiftiTypes, [&](const NiftiType& known) {
        return known.type == type && known.channels == 1;
    });
    return found == kNiftiTypes.end() ? NIFTI_TYPE_FLOAT32 : found->code;
}

} // namespace

bool is_nifti(std::span<const std::byte> file) {
    return nifti_version(file) != 0;
}

Result<StoredVolume> decode_nifti(const VolumeFile& file) {
    const std::string name = file.name();
    const int version = nifti_version(file.bytes);
    const auto head = part_of(file.bytes, 0, version == 1 ? kNifti1Bytes : kNifti2Bytes);
    if (!head) return corrupt_volume(name, "its header is cut short");
    if (!begins_soon(*head, version))
        return corrupt_volume(name, "its header says that the numbers begin beyond its end");
    const NiftiImage image = read_nifti_header(*head, version);
    if (!image) return corrupt_volume(name, "its header makes no sense");
    if (image->nifti_type != NIFTI_FTYPE_NIFTI1_1 && image->nifti_type != NIFTI_FTYPE_NIFTI2_1)
        return unsupported_volume(name, "has its numbers in another file", "write it as one .nii");
    const auto type = std::ranges::find(kNiftiTypes, image->datatype, &NiftiType::code);
    if (type == kNiftiTypes.end())
        return unsupported_volume(
            name, fmt::format("holds numbers of type {}", nifti_datatype_string(image->datatype)),
            "integers, floats and colours are read");
    std::array<std::int64_t, 7> dims = {1, 1, 1, 1, 1, 1, 1};
    const auto axes = static_cast<std::size_t>(std::clamp<std::int64_t>(image->ndim, 0, 7));
    std::copy_n(image->dim + 1, axes, dims.begin()); // what follows is 0, or 1, or nothing
    if (std::ranges::any_of(dims, [](auto n) { return n < 1; }))
        return corrupt_volume(name, "a size is below 1");
    const auto size = [&](std::size_t i) { return static_cast<std::uint64_t>(dims[i]); };
    if (size(5) != 1 || size(6) != 1 || (size(4) != 1 && (type->channels != 1 || size(3) != 1)))
        return unsupported_volume(name, "has more than five axes",
                                  "volumes have three, and a fourth for time or a fifth for what "
                                  "a texel holds");
    const std::uint64_t vectors = size(4);
    if (auto fits = check_volume_size(name, {size(0), size(1), size(2)}, type->channels * vectors,
                                      type->type);
        !fits)
        return propagate(std::move(fits));
    const auto frame = chosen_frame(name, file.options, size(3));
    if (!frame) return std::unexpected(frame.error());
    auto geometry = nifti_geometry(name, *image, !file.options.spacing);
    if (!geometry) return propagate(std::move(geometry));

    StoredVolume stored{.extent = {static_cast<std::uint32_t>(dims[0]),
                                   static_cast<std::uint32_t>(dims[1]),
                                   static_cast<std::uint32_t>(dims[2])},
                        .type = type->type,
                        .channels = static_cast<std::uint32_t>(type->channels * vectors),
                        .geometry = *geometry};
    const std::uint64_t length = stored_bytes(stored.extent, stored.channels, stored.type);
    const std::int64_t start = image->iname_offset;
    if (start < static_cast<std::int64_t>(head->size()) || start > kMaxNiftiHeader)
        return corrupt_volume(name, fmt::format("its numbers begin at byte {}", start));
    auto numbers = part_of(file.bytes, static_cast<std::uint64_t>(start) + *frame * length, length);
    if (!numbers)
        return corrupt_volume(
            name, fmt::format("it ends before the {} bytes that its header says", length));
    if (image->byteorder != nifti_short_order()) swap_bytes(*numbers, element_bytes(stored.type));
    stored.numbers = vectors > 1
                         ? interleaved(*numbers, stored.channels, element_bytes(stored.type))
                         : std::move(*numbers);
    // A slope of 0 says that there is none; neither is of colours.
    const bool scaled = type->channels == 1 && image->scl_slope != 0.0 &&
                        std::isfinite(image->scl_slope) && std::isfinite(image->scl_inter);
    if (scaled) {
        stored.slope = image->scl_slope;
        stored.intercept = image->scl_inter;
    }
    const std::string_view description(image->descrip);
    if (description.starts_with(kNiftiTag)) stored.format = description.substr(kNiftiTag.size());
    return stored;
}

EncodedVolume encode_nifti(const VolumeToWrite& volume) {
    const Extent extent = volume.texels.image.extent;
    const std::uint32_t channels = volume.texels.channels;
    const bool colors = channels == 4 && volume.texels.type == ElementType::u8;
    const bool vectors = channels > 1 && !colors;
    const std::array<std::int64_t, 8> dims = {vectors ? 5 : 3,
                                              extent.width,
                                              extent.height,
                                              extent.depth,
                                              1,
                                              vectors ? channels : 1,
                                              1,
                                              1};
    nifti_set_debug_level(0);
    const int code = colors ? NIFTI_TYPE_RGBA32 : nifti_code(volume.texels.type);
    const NiftiImage image{nifti_make_new_nim(dims.data(), code, 0), &nifti_image_free};
    if (!image) return fail("image/unsupported", "NIfTI has no header for this volume");
    const VolumeGeometry& geometry = volume.geometry;
    const auto steps = steps_of(geometry);
    image->dx = image->pixdim[1] = geometry.spacing[0];
    image->dy = image->pixdim[2] = geometry.spacing[1];
    image->dz = image->pixdim[3] = geometry.spacing[2];
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            image->sto_xyz.m[c][axis] = steps[axis][c];
        image->sto_xyz.m[c][3] = geometry.origin[c];
    }
    image->sto_xyz.m[3][3] = 1.0;
    image->sform_code = geometry.anatomical ? NIFTI_XFORM_SCANNER_ANAT : NIFTI_XFORM_ALIGNED_ANAT;
    if (geometry.anatomical) image->xyz_units = NIFTI_UNITS_MM;
    if (vectors) image->intent_code = NIFTI_INTENT_VECTOR;
    image->nifti_type = NIFTI_FTYPE_NIFTI1_1;
    const std::string description = fmt::format("{}{}", kNiftiTag, volume.format());
    description.copy(image->descrip, sizeof image->descrip - 1);
    nifti_1_header header;
    if (nifti_convert_nim2n1hdr(image.get(), &header) != 0)
        return fail("image/unsupported", "NIfTI has no header for this volume");
    constexpr std::size_t kStart = 352;
    header.vox_offset = kStart;

    const std::vector<std::byte>& texels = volume.texels.image.texels;
    std::vector<std::byte> numbers =
        volume.texels.type == ElementType::f16 ? floats_of_halves(texels) : texels;
    if (vectors)
        numbers = in_planes(numbers, channels,
                            numbers.size() / channels /
                                (std::size_t{extent.width} * extent.height * extent.depth));
    std::vector<std::byte> file(kStart);
    std::memcpy(file.data(), &header, sizeof header);
    file.insert(file.end(), numbers.begin(), numbers.end());
    return file;
}

} // namespace tuff::codec
