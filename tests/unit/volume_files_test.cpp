#include "tests/common/test_folder.hpp"

#include <tuff/volume.hpp>

#include <Imath/half.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>

namespace tuff {
namespace {

using testing::HasSubstr;

constexpr std::array kVolumeEndings = {".nrrd", ".nii", ".nii.gz", ".vti", ".vdb"};

/// Formats that every volume file keeps.
constexpr std::array kVolumeFormats = {
    Format::r8_unorm,      Format::r8_uint,    Format::rg8_unorm,   Format::rgba8_unorm,
    Format::rgba8_snorm,   Format::rgba8_srgb, Format::r16_unorm,   Format::r16_uint,
    Format::rgba16_unorm,  Format::r16_sfloat, Format::rg16_sfloat, Format::rgba16_sfloat,
    Format::r32_sint,      Format::r32_uint,   Format::r32_sfloat,  Format::rg32_sfloat,
    Format::rgba32_sfloat, Format::rgba32_sint};

VolumeGeometry some_geometry() {
    return {.spacing = {0.5, 0.25, 2.0}, .origin = {-10.0, 4.5, 100.0}};
}

/// Texels of all kinds of numbers: of floats also a negative zero, denormals and infinities.
HostImage some_volume(Format format, Extent extent = {5, 4, 3}) {
    HostImage image = make_image(format, extent);
    const FormatInfo& facts = info(format);
    std::uint32_t random = 12345;
    const std::size_t each = facts.texel_bytes / facts.channels;
    for (std::size_t at = 0; at < image.texels.size(); at += each) {
        random = random * 1664525u + 1013904223u;
        const std::size_t index = at / each;
        if (facts.kind == NumericKind::sfloat) {
            constexpr float kInfinity = std::numeric_limits<float>::infinity();
            constexpr std::array kSpecial = {0.0f, -0.0f, 1e-7f, kInfinity, -kInfinity};
            const float value = index < kSpecial.size()
                                    ? kSpecial[index]
                                    : static_cast<float>(random >> 8) / 1024.0f - 5000.0f;
            const std::uint16_t half = imath_float_to_half(value);
            if (each == 2)
                std::memcpy(&image.texels[at], &half, each);
            else
                std::memcpy(&image.texels[at], &value, each);
        } else {
            const std::uint32_t word = random >> 1; // signed formats and OpenVDB hold it
            std::memcpy(&image.texels[at], &word, each);
        }
    }
    return image;
}

class VolumeFiles : public testing::Test {
  protected:
    VolumeFiles() : folder_(test::empty_folder()) {}

    std::filesystem::path file(const std::string& name) const { return folder_ / name; }

    void write(const std::string& name, std::string_view text) const {
        std::ofstream(file(name), std::ios::binary) << text;
    }
    std::string read(const std::string& name) const {
        std::ifstream stream(file(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    template <typename T>
    void write_numbers(const std::string& name, std::string_view header,
                       const std::vector<T>& numbers) const {
        write(name, std::string(header) + std::string(reinterpret_cast<const char*>(numbers.data()),
                                                      numbers.size() * sizeof(T)));
    }
    Volume loaded(const std::string& name, const VolumeLoadOptions& options = {}) const {
        auto volume = load_volume(file(name), options);
        if (!volume) {
            ADD_FAILURE() << to_string(volume.error());
            return {};
        }
        return std::move(*volume);
    }
    std::vector<float> floats(const Volume& volume) const {
        std::vector<float> values(volume.image.texels.size() / sizeof(float));
        std::memcpy(values.data(), volume.image.texels.data(), values.size() * sizeof(float));
        return values;
    }
    /// The code of the one error.
    std::string refusal(const std::string& name, const VolumeLoadOptions& options = {}) const {
        const auto volume = load_volume(file(name), options);
        if (volume) return "read";
        EXPECT_EQ(volume.error().size(), 1u);
        EXPECT_THAT(volume.error()[0].message, HasSubstr(name));
        EXPECT_FALSE(volume.error()[0].hint.empty()) << to_string(volume.error());
        return volume.error()[0].code;
    }

    std::filesystem::path folder_;
};

TEST_F(VolumeFiles, EveryFormatComesBackEqualFromEveryKindOfFile) {
    for (const std::string ending : kVolumeEndings)
        for (const Format format : kVolumeFormats) {
            SCOPED_TRACE(ending + " " + std::string(info(format).name));
            const HostImage volume = some_volume(format);
            const auto saved = save_volume(file("v" + ending), volume, some_geometry());
            ASSERT_TRUE(saved) << to_string(saved.error());
            const Volume back = loaded("v" + ending);
            EXPECT_EQ(back.image.format, format);
            EXPECT_EQ(back.image.extent, volume.extent);
            EXPECT_TRUE(back.image.texels == volume.texels);
            EXPECT_EQ(back.geometry, some_geometry());
            EXPECT_TRUE(back.warnings.empty());
        }
}

TEST_F(VolumeFiles, AVolumeOfZerosComesBackWithItsSize) {
    for (const std::string ending : kVolumeEndings) {
        const HostImage volume = make_image(Format::r32_sfloat, {7, 1, 1});
        ASSERT_TRUE(save_volume(file("z" + ending), volume));
        const Volume back = loaded("z" + ending);
        EXPECT_EQ(back.image.extent, (Extent{7, 1, 1})) << ending;
        EXPECT_TRUE(back.image.texels == volume.texels) << ending;
    }
}

TEST_F(VolumeFiles, DecimalSpacingsAreKeptAsTheyAre) {
    const VolumeGeometry geometry{.spacing = {0.1, 0.7, 1.0 / 3.0}, .origin = {-2.4, 0.1, 1e-3}};
    ASSERT_TRUE(save_volume(file("v.vdb"), some_volume(Format::r8_unorm), geometry));
    for (std::size_t i = 0; i < 3; ++i) // OpenVDB works them out from places
        EXPECT_NEAR(loaded("v.vdb").geometry.spacing[i], geometry.spacing[i], 1e-14);
    for (const std::string ending : {".nrrd", ".vti"}) {
        ASSERT_TRUE(save_volume(file("v" + ending), some_volume(Format::r8_unorm), geometry));
        EXPECT_EQ(loaded("v" + ending).geometry, geometry) << ending;
    }
    ASSERT_TRUE(save_volume(file("v.nii"), some_volume(Format::r8_unorm), geometry));
    EXPECT_FLOAT_EQ(static_cast<float>(loaded("v.nii").geometry.spacing[2]), 1.0f / 3.0f);
}

TEST_F(VolumeFiles, TurnedAxesAndThePatientsWorldAreKept) {
    const double half = std::sqrt(0.5);
    VolumeGeometry geometry = some_geometry();
    geometry.axes = {{{half, half, 0}, {-half, half, 0}, {0, 0, -1}}};
    geometry.anatomical = true;
    for (const std::string ending : kVolumeEndings) {
        SCOPED_TRACE(ending);
        ASSERT_TRUE(save_volume(file("t" + ending), some_volume(Format::r32_sfloat), geometry));
        const VolumeGeometry back = loaded("t" + ending).geometry;
        EXPECT_TRUE(back.anatomical);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_NEAR(back.spacing[i], geometry.spacing[i], 1e-6);
            EXPECT_NEAR(back.origin[i], geometry.origin[i], 1e-5);
            for (std::size_t c = 0; c < 3; ++c)
                EXPECT_NEAR(back.axes[i][c], geometry.axes[i][c], 1e-6);
        }
    }
}

TEST_F(VolumeFiles, BytesWithoutAHeaderAreReadByTheLayout) {
    const std::vector<std::uint8_t> bytes = {9, 9, 9, 0x12, 0x34, 0xff, 0xfe};
    write_numbers("x.raw", "", bytes);
    const Volume volume = loaded(
        "x.raw",
        {.raw = RawLayout{
             .extent = {2, 1, 1}, .type = ElementType::i16, .big_endian = true, .offset = 3}});
    EXPECT_EQ(volume.image.format, Format::r32_sfloat);
    EXPECT_THAT(floats(volume), testing::ElementsAre(0x1234, -2));
    EXPECT_EQ(refusal("x.raw", {.raw = RawLayout{.extent = {3, 1, 1}, .type = ElementType::u32}}),
              "volume/corrupt");
    EXPECT_EQ(refusal("x.raw", {.raw = RawLayout{.extent = {1, 1, 1}, .offset = 1u << 30}}),
              "volume/corrupt");
    EXPECT_EQ(refusal("x.raw"), "volume/unknown-format");
}

TEST_F(VolumeFiles, RawFilesHoldTheTexelsAsTheyAre) {
    const HostImage volume = some_volume(Format::rgba16_sfloat);
    ASSERT_TRUE(save_volume(file("x.raw"), volume));
    const Volume back = loaded(
        "x.raw",
        {.raw = RawLayout{.extent = volume.extent, .type = ElementType::f16, .channels = 4}});
    EXPECT_EQ(back.image.format, Format::rgba16_sfloat);
    EXPECT_TRUE(back.image.texels == volume.texels);
}

TEST_F(VolumeFiles, UnsignedNumbersStandForFractionsUnlessTheyAreWanted) {
    const RawLayout layout{.extent = {2, 1, 1}, .type = ElementType::u8};
    write("x.raw", std::string("\x00\xff", 2));
    const Volume fractions = loaded("x.raw", {.raw = layout});
    EXPECT_EQ(fractions.image.format, Format::r8_unorm);
    const Volume numbers = loaded("x.raw", {.normalize = false, .raw = layout});
    EXPECT_EQ(numbers.image.format, Format::r32_sfloat);
    EXPECT_THAT(floats(numbers), testing::ElementsAre(0, 255));
}

TEST_F(VolumeFiles, NumbersThatFloatsCannotHoldAreTold) {
    const auto load = [&]<typename T>(ElementType type, std::vector<T> numbers) {
        write_numbers("x.raw", "", numbers);
        return loaded(
            "x.raw", {.raw = RawLayout{.extent = {static_cast<std::uint32_t>(numbers.size()), 1, 1},
                                       .type = type}});
    };
    const auto exact = load(ElementType::f64, std::vector<double>{0.5, 1e10, std::nan("")});
    EXPECT_TRUE(exact.warnings.empty());
    const auto doubles = load(ElementType::f64, std::vector<double>{0.5, 0.1, 1e300});
    ASSERT_EQ(doubles.warnings.size(), 1u);
    EXPECT_EQ(doubles.warnings[0].code, "volume/precision");
    EXPECT_EQ(doubles.warnings[0].severity, Severity::warning);
    EXPECT_THAT(doubles.warnings[0].message, HasSubstr("of which 2 "));
    EXPECT_TRUE(load(ElementType::i32, std::vector<std::int32_t>{16777216, -5}).warnings.empty());
    EXPECT_FALSE(load(ElementType::i32, std::vector<std::int32_t>{16777217}).warnings.empty());
    EXPECT_FALSE(
        load(ElementType::u64, std::vector<std::uint64_t>{~std::uint64_t{0}}).warnings.empty());
}

TEST_F(VolumeFiles, NrrdOfOthersIsReadInAllItsEncodings) {
    const std::string head = "NRRD0004\n# someone's\ntype: short\ndimension: 3\nsizes: 2 1 2\n"
                             "spacings: 0.5 1 nan\naxis mins: -1 2 3\ncenters: cell cell node\n";
    write_numbers("little.nrrd", head + "endian: little\nencoding: raw\nbyte skip: -1\n\nxx",
                  std::vector<std::int16_t>{1, -2, 300, 4});
    write("big.nrrd", head + "endian: big\nencoding: raw\n\n" +
                          std::string("\x00\x01\xff\xfe\x01\x2c\x00\x04", 8));
    write("text.nrrd", head + "encoding: ascii\n\n1 -2\n300 4\n");
    for (const char* name : {"little.nrrd", "big.nrrd", "text.nrrd"}) {
        SCOPED_TRACE(name);
        const Volume volume = loaded(name);
        EXPECT_EQ(volume.image.extent, (Extent{2, 1, 2}));
        EXPECT_THAT(floats(volume), testing::ElementsAre(1, -2, 300, 4));
        EXPECT_THAT(volume.geometry.spacing, testing::ElementsAre(0.5, 1, 1));
        EXPECT_THAT(volume.geometry.origin, testing::ElementsAre(-0.75, 2.5, 3));
    }
}

TEST_F(VolumeFiles, NrrdInTheLeftPosteriorWorldIsTurnedToTheRightAnteriorOne) {
    write("x.nrrd", "NRRD0005\ntype: uchar\ndimension: 3\nspace: left-posterior-superior\n"
                    "sizes: 1 1 1\nspace directions: (2,0,0) (0,3,0) (0,0,4)\n"
                    "space origin: (1,2,3)\nencoding: raw\n\nx");
    const VolumeGeometry geometry = loaded("x.nrrd").geometry;
    EXPECT_TRUE(geometry.anatomical);
    EXPECT_THAT(geometry.spacing, testing::ElementsAre(2, 3, 4));
    EXPECT_THAT(geometry.origin, testing::ElementsAre(-1, -2, 3));
    EXPECT_EQ(geometry.axes[0][0], -1);
    EXPECT_EQ(geometry.axes[1][1], -1);
    EXPECT_EQ(geometry.axes[2][2], 1);
}

TEST_F(VolumeFiles, AFrameOfASeriesIsChosen) {
    const std::string head = "NRRD0005\ntype: float\ndimension: 4\nsizes: 2 1 1 3\n"
                             "kinds: domain domain domain time\nendian: little\nencoding: raw\n\n";
    write_numbers("s.nrrd", head, std::vector<float>{0, 1, 2, 3, 4, 5});
    EXPECT_THAT(floats(loaded("s.nrrd", {.frame = 1})), testing::ElementsAre(2, 3));
    EXPECT_EQ(refusal("s.nrrd"), "volume/no-such-frame");
    EXPECT_EQ(refusal("s.nrrd", {.frame = 3}), "volume/no-such-frame");
}

TEST_F(VolumeFiles, ThreeNumbersATexelGetAnAlphaOfOne) {
    write("c.nrrd", "NRRD0005\ntype: uchar\ndimension: 4\nsizes: 3 2 1 1\n"
                    "kinds: RGB-color domain domain domain\nencoding: raw\n\nabcdef");
    const Volume volume = loaded("c.nrrd");
    EXPECT_EQ(volume.image.format, Format::rgba8_unorm);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(volume.image.texels.data()), 8), "abc\xff"
                                                                                         "def\xff");
}

TEST_F(VolumeFiles, DetachedDataAreReadFromBesideTheHeaderAndFromNowhereElse) {
    const std::string head = "NRRD0005\ntype: uchar\ndimension: 3\nsizes: 2 1 1\nencoding: raw\n";
    std::filesystem::create_directories(file("in"));
    write("in/x.raw", "ab");
    write("out.raw", "cd");
    write("in/x.nhdr", head + "data file: x.raw\n");
    write("in/out.nhdr", head + "data file: ../out.raw\n");
    const VolumeLoadOptions confined{.confined_to = {file("in")}};
    EXPECT_EQ(loaded("in/x.nhdr", confined).image.texels[1], std::byte{'b'});
    EXPECT_EQ(volume_data_file(file("in/x.nhdr")), file("in/x.raw"));
    EXPECT_EQ(loaded("in/out.nhdr").image.texels[1], std::byte{'d'});
    const auto refused = load_volume(file("in/out.nhdr"), confined);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error()[0].code, "asset/outside");
    write("in/none.nhdr", head + "data file: none.raw\n");
    const auto missing = load_volume(file("in/none.nhdr"));
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error()[0].code, "volume/not-found");
}

TEST_F(VolumeFiles, FilesThatEndEarlyAreRefusedWhereverTheyEnd) {
    for (const std::string ending : kVolumeEndings) {
        const std::string name = "v" + ending;
        ASSERT_TRUE(save_volume(file(name), some_volume(Format::r32_sfloat), some_geometry()));
        const std::string whole = read(name);
        const std::size_t data = 5 * 4 * 3 * 4;
        // All of the file but what may be left out: VTK's closing tags, the sum at gzip's end.
        const std::size_t last = ending == ".vti"      ? whole.rfind("\n  </Appended") - 1
                                 : ending == ".nii.gz" ? whole.size() - 40
                                                       : whole.size() - 1;
        ASSERT_GT(last, data / 4);
        for (std::size_t length = 0; length <= last; length += length + 8 < last ? 7 : 1) {
            write("cut" + ending, std::string_view(whole).substr(0, length));
            const std::string code = refusal("cut" + ending);
            EXPECT_THAT(code, testing::AnyOf("volume/corrupt", "volume/unknown-format"))
                << ending << " after " << length << " of " << whole.size();
        }
    }
}

TEST_F(VolumeFiles, AnyChangedByteIsRefusedOrRead) {
    for (const std::string ending : kVolumeEndings) {
        const std::string name = "v" + ending;
        ASSERT_TRUE(save_volume(file(name), some_volume(Format::r32_sfloat), some_geometry()));
        const std::string whole = read(name);
        for (std::size_t at = 0; at < whole.size(); at += 9)
            for (const char to : {'\xff', static_cast<char>(whole[at] ^ 1)}) {
                std::string text = whole;
                text[at] = to;
                write(name, text);
                const auto volume = load_volume(file(name));
                if (volume) {
                    EXPECT_EQ(volume->image.texels.size(),
                              byte_size(volume->image.format, volume->image.extent))
                        << ending << " at " << at;
                }
            }
    }
}

TEST_F(VolumeFiles, HeadersThatClaimMoreThanThereIsTakeNoMemory) {
    const std::string start = "NRRD0005\ntype: float\ndimension: 3\nendian: little\n";
    write("huge.nrrd", start + "sizes: 16384 16384 16384\nencoding: raw\n\nxx");
    EXPECT_EQ(refusal("huge.nrrd"), "volume/too-large");
    write("large.nrrd", start + "sizes: 512 512 1024\nencoding: gzip\n\nxx");
    EXPECT_EQ(refusal("large.nrrd"), "volume/corrupt");
    write("text.nrrd", start + "sizes: 512 512 1024\nencoding: text\n\n1 2");
    EXPECT_EQ(refusal("text.nrrd"), "volume/corrupt");
    write("frames.nrrd", "NRRD0005\ntype: float\ndimension: 4\nendian: little\n"
                         "sizes: 8 8 8 18446744073709551615\nencoding: raw\n\nxx");
    EXPECT_EQ(refusal("frames.nrrd", {.frame = 7}), "volume/corrupt");
    ASSERT_TRUE(save_volume(file("v.vti"), some_volume(Format::r32_sfloat)));
    std::string text = read("v.vti");
    for (std::size_t at = text.find("0 4 0 3 0 2"); at != std::string::npos;
         at = text.find("0 4 0 3 0 2"))
        text.replace(at, 11, "0 9000 0 9000 0 9000");
    write("v.vti", text);
    EXPECT_EQ(refusal("v.vti"), "volume/too-large");
}

TEST_F(VolumeFiles, BrokenHeadersOfNrrdAreRefused) {
    const auto with = [&](std::string_view field, std::string_view instead) {
        std::string text = "NRRD0005\ntype: float\ndimension: 3\nsizes: 1 1 1\nspacings: 1 1 1\n"
                           "endian: little\nencoding: raw\n\nabcd";
        const std::size_t at = text.find(field);
        text.replace(at, text.find('\n', at) - at, instead);
        write("b.nrrd", text);
        return refusal("b.nrrd");
    };
    EXPECT_EQ(with("type", "type: block"), "volume/unsupported");
    EXPECT_EQ(with("type", "# none"), "volume/corrupt");
    EXPECT_EQ(with("encoding", "encoding: bzip2"), "volume/unsupported");
    EXPECT_EQ(with("encoding", "encoding: zip of my own"), "volume/unsupported");
    EXPECT_EQ(with("spacings", "spacings: 1 -1 1"), "volume/bad-geometry");
    EXPECT_EQ(with("spacings", "spacings: 1 0 1"), "volume/bad-geometry");
    EXPECT_EQ(with("spacings", "spacings: 1 a 1"), "volume/corrupt");
    EXPECT_EQ(with("spacings", "space directions: (1,0,0) (0,0,0) (0,0,1)"), "volume/bad-geometry");
    EXPECT_EQ(with("sizes", "sizes: 1 0 1"), "volume/corrupt");
    EXPECT_EQ(with("sizes", "sizes: 1 1"), "volume/corrupt");
    EXPECT_EQ(with("sizes", "sizes: 1 1 -1"), "volume/corrupt");
    EXPECT_EQ(with("dimension", "dimension: 4"), "volume/corrupt");
    EXPECT_EQ(with("endian", "# none"), "volume/corrupt");
    EXPECT_EQ(with("spacings", "data file: LIST"), "volume/unsupported");
}

TEST_F(VolumeFiles, ANegativeSpacingIsRefusedUnlessAnotherIsGiven) {
    ASSERT_TRUE(save_volume(file("v.vti"), some_volume(Format::r8_unorm)));
    std::string text = read("v.vti");
    text.replace(text.find("Spacing=\"1 1 1\""), 15, "Spacing=\"-1 1 1\"");
    write("v.vti", text);
    EXPECT_EQ(refusal("v.vti"), "volume/bad-geometry");
    EXPECT_EQ(loaded("v.vti", {.spacing = {{2, 2, 2}}}).geometry.spacing[0], 2);
}

TEST_F(VolumeFiles, NiftiInBothByteOrdersWithSlopeAndSeries) {
    // A header of NIfTI-1, 348 bytes and four of extensions, in the byte order that is asked for.
    const auto nifti = [](bool big, float slope, std::int16_t frames, float spacing) {
        std::string text(352, '\0');
        const auto put = [&](std::size_t at, auto value) {
            char bytes[sizeof value];
            std::memcpy(bytes, &value, sizeof value);
            if (big) std::reverse(bytes, bytes + sizeof value);
            text.replace(at, sizeof value, bytes, sizeof value);
        };
        put(0, std::int32_t{348});
        const std::array<std::int16_t, 8> dims = {4, 2, 1, 1, frames, 1, 1, 1};
        for (std::size_t i = 0; i < dims.size(); ++i)
            put(40 + 2 * i, dims[i]);
        put(70, std::int16_t{4}); // 16-bit integers
        put(72, std::int16_t{16});
        for (std::size_t i = 0; i < 8; ++i)
            put(76 + 4 * i, i == 1 ? spacing : 1.0f);
        put(108, 352.0f);
        put(112, slope);
        put(116, 10.0f);
        text.replace(344, 4, std::string("n+1\0", 4));
        for (std::int16_t i = 0; i < 2 * frames; ++i) {
            text.append(2, '\0');
            put(text.size() - 2, i);
        }
        return text;
    };
    for (const bool big : {false, true}) {
        write("x.nii", nifti(big, 0.5f, 3, 0.75f));
        const Volume volume = loaded("x.nii", {.frame = 2});
        EXPECT_THAT(floats(volume), testing::ElementsAre(12, 12.5));
        EXPECT_THAT(volume.geometry.spacing, testing::ElementsAre(0.75, 1, 1));
        EXPECT_EQ(refusal("x.nii"), "volume/no-such-frame");
        EXPECT_EQ(refusal("x.nii", {.frame = 3}), "volume/no-such-frame");
        write("plain.nii", nifti(big, 0.0f, 1, 0.75f));
        EXPECT_THAT(floats(loaded("plain.nii")), testing::ElementsAre(0, 1));
        write("negative.nii", nifti(big, 0.0f, 1, -0.75f));
        EXPECT_EQ(refusal("negative.nii"), "volume/bad-geometry");
    }
    const std::string whole = nifti(false, 0.0f, 1, 1.0f);
    write("short.nii", whole.substr(0, whole.size() - 1));
    EXPECT_EQ(refusal("short.nii"), "volume/corrupt");
    std::string far = whole;
    const float offset = 1e30f;
    std::memcpy(&far[108], &offset, sizeof offset);
    write("far.nii", far);
    EXPECT_EQ(refusal("far.nii"), "volume/corrupt");
    std::string odd = whole;
    odd[70] = 32; // complex numbers
    write("odd.nii", odd);
    EXPECT_EQ(refusal("odd.nii"), "volume/unsupported");
    std::string pair = whole;
    pair.replace(344, 3, "ni1");
    write("pair.nii", pair);
    EXPECT_EQ(refusal("pair.nii"), "volume/unsupported");
}

TEST_F(VolumeFiles, VtkFilesOfOthersAreRead) {
    const auto vti = [&](std::string_view attributes, std::string_view data,
                         std::string_view rest = "") {
        write("x.vti", "<VTKFile type=\"ImageData\" version=\"0.1\" " + std::string(attributes) +
                           "><ImageData WholeExtent=\"1 2 0 0 0 0\" Origin=\"0 0 0\" "
                           "Spacing=\"3 1 1\"><Piece Extent=\"1 2 0 0 0 0\"><PointData>" +
                           std::string(data) + "</PointData></Piece></ImageData>" +
                           std::string(rest) + "</VTKFile>");
    };
    vti("byte_order=\"LittleEndian\"",
        "<DataArray type=\"Float32\" Name=\"a\" format=\"ascii\">1.5 -2</DataArray>"
        "<DataArray type=\"Int16\" Name=\"b\" format=\"ascii\"> 7\n8 </DataArray>");
    EXPECT_THAT(floats(loaded("x.vti")), testing::ElementsAre(1.5, -2));
    EXPECT_THAT(floats(loaded("x.vti", {.array = "b"})), testing::ElementsAre(7, 8));
    EXPECT_THAT(loaded("x.vti").geometry.origin, testing::ElementsAre(3, 0, 0));
    EXPECT_EQ(refusal("x.vti", {.array = "c"}), "volume/no-such-array");
    // Four bytes that say 4, then the numbers 1 and 2: of 32-bit headers in one base64 text.
    vti("byte_order=\"LittleEndian\"",
        "<DataArray type=\"Int16\" Name=\"a\" format=\"binary\">BAAAAAEAAgA=</DataArray>");
    EXPECT_THAT(floats(loaded("x.vti")), testing::ElementsAre(1, 2));
    vti("byte_order=\"BigEndian\"", "<DataArray type=\"Int16\" format=\"appended\" offset=\"0\"/>",
        "<AppendedData encoding=\"base64\">_AAAABAABAAI=</AppendedData>");
    EXPECT_THAT(floats(loaded("x.vti")), testing::ElementsAre(1, 2));
    // python3: base64 of struct.pack('<4I', 1, 4, 4, 12), then of zlib.compress(b'\1\0\2\0')
    vti("byte_order=\"LittleEndian\" compressor=\"vtkZLibDataCompressor\"",
        "<DataArray type=\"Int16\" format=\"binary\">AQAAAAQAAAAEAAAADAAAAA=="
        "eJxjZGBiAAAADAAE</DataArray>");
    EXPECT_THAT(floats(loaded("x.vti")), testing::ElementsAre(1, 2));
    vti("byte_order=\"LittleEndian\" compressor=\"vtkLZ4DataCompressor\"",
        "<DataArray type=\"Int16\" format=\"binary\">AQAAAAQ</DataArray>");
    EXPECT_EQ(refusal("x.vti"), "volume/unsupported");
    vti("", "<DataArray type=\"Int16\" format=\"binary\">BAAAAAEA");
    EXPECT_EQ(refusal("x.vti"), "volume/corrupt");
    vti("", "<DataArray type=\"String\" format=\"ascii\">1 2</DataArray>");
    EXPECT_EQ(refusal("x.vti"), "volume/unsupported");
    write("x.vti", "<VTKFile type=\"PolyData\"><PolyData/></VTKFile>");
    EXPECT_EQ(refusal("x.vti"), "volume/unsupported");
}

TEST_F(VolumeFiles, VtkFilesSayThatTheirPointsAreTheTexels) {
    ASSERT_TRUE(
        save_volume(file("v.vti"), some_volume(Format::rg32_sfloat), some_geometry(), "a<b"));
    const std::string text = read("v.vti");
    EXPECT_THAT(text, HasSubstr("WholeExtent=\"0 4 0 3 0 2\" Origin=\"-10 4.5 100\" "
                                "Spacing=\"0.5 0.25 2\""));
    EXPECT_THAT(text, HasSubstr("<PointData Scalars=\"a&lt;b\">"));
    EXPECT_THAT(text, HasSubstr("type=\"Float32\" Name=\"a&lt;b\" NumberOfComponents=\"2\""));
    const std::size_t data = text.find("_", text.find("encoding=\"raw\""));
    std::uint64_t length = 0;
    std::memcpy(&length, text.data() + data + 1, sizeof length);
    EXPECT_EQ(length, 5u * 4 * 3 * 2 * 4);
}

TEST_F(VolumeFiles, AGridOfOthersIsTheBoxAroundItsActiveTexels) {
    // Without what Tuff writes down of the box, a file is like one of others.
    const auto forget_box = [&] {
        std::string text = read("v.vdb");
        for (std::size_t at = text.find("tuff_size"); at != std::string::npos;
             at = text.find("tuff_size"))
            text.replace(at, 4, "some");
        write("v.vdb", text);
    };
    HostImage volume = make_image(Format::r32_sfloat, {9, 9, 9});
    ASSERT_TRUE(save_volume(file("v.vdb"), volume));
    forget_box();
    EXPECT_EQ(refusal("v.vdb"), "volume/empty");

    volume.set_texel({1.5f, 0, 0, 1}, 2, 3, 4);
    volume.set_texel({-3, 0, 0, 1}, 3, 3, 6);
    ASSERT_TRUE(save_volume(file("v.vdb"), volume, some_geometry(), "density"));
    forget_box();
    const Volume box = loaded("v.vdb");
    EXPECT_EQ(box.image.extent, (Extent{2, 1, 3}));
    EXPECT_THAT(floats(box), testing::ElementsAre(1.5, 0, 0, 0, 0, -3));
    EXPECT_THAT(box.geometry.origin, testing::ElementsAre(-9, 5.25, 108));
    EXPECT_EQ(loaded("v.vdb", {.array = "density"}).image.extent, box.image.extent);
    EXPECT_EQ(refusal("v.vdb", {.array = "fire"}), "volume/no-such-array");
}

TEST_F(VolumeFiles, WholeNumbersThatAGridCannotHoldAreRefused) {
    HostImage volume = make_image(Format::r32_uint, {1, 1, 1});
    std::memset(volume.texels.data(), 0xff, 4);
    const auto saved = save_volume(file("v.vdb"), volume);
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error()[0].code, "image/unsupported");
    EXPECT_FALSE(std::filesystem::exists(file("v.vdb")));
}

TEST_F(VolumeFiles, SavingAnImageBesideVolumesIsThatOfPictures) {
    ASSERT_TRUE(save_image(file("p.vti"), some_volume(Format::rgba8_unorm, {3, 2, 1})));
    EXPECT_EQ(loaded("p.vti").image.extent, (Extent{3, 2, 1}));
    const auto refused = save_image(file("p.png"), some_volume(Format::rgba8_unorm));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error()[0].hint, HasSubstr(".vti"));
}

} // namespace
} // namespace tuff
