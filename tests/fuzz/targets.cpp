#include "config/read/expression.hpp"
#include "gpu/checkpoint/manifest.hpp"
#include "gpu/shader/shader_pack.hpp"
#include "passes/hair/hair_file.hpp"
#include "passes/jpeg/decode_stream.hpp"
#include "tests/fuzz/inputs.hpp"

#include <tuff/array.hpp>
#include <tuff/drawing.hpp>
#include <tuff/scene.hpp>
#include <tuff/shader_library.hpp>
#include <tuff/volume.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace tuff::fuzz {
namespace {

namespace fs = std::filesystem;

/// A file of the process's own, which readers get their input in. It ends with the process.
class InputFile {
  public:
    explicit InputFile(std::string_view name) {
        std::string folder = (fs::temp_directory_path() / "tuff-fuzz-XXXXXX").string();
        if (!mkdtemp(folder.data())) std::abort();
        folder_ = folder;
        path_ = folder_ / name;
    }
    ~InputFile() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    const fs::path& write(std::span<const std::uint8_t> bytes) {
        std::ofstream stream(path_, std::ios::binary | std::ios::trunc);
        stream.write(reinterpret_cast<const char*>(bytes.data()),
                     static_cast<std::streamsize>(bytes.size()));
        return path_;
    }
    /// The files that an input names may lie here and nowhere else.
    std::vector<fs::path> folders() const { return {folder_}; }

  private:
    fs::path folder_;
    fs::path path_;
};

std::string_view text_of(std::span<const std::uint8_t> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> bytes_of(std::span<const std::uint8_t> bytes) {
    return std::as_bytes(bytes);
}

std::string objection_to_refusal(const Diagnostics& refusal) {
    if (!has_errors(refusal)) return "refused without an error";
    for (const Diagnostic& diagnostic : refusal)
        if (diagnostic.code.empty() || diagnostic.message.empty())
            return "refused without a code or a message";
    return {};
}

std::string objection_to_image(const HostImage& image) {
    const bool whole = image.texels.size() == byte_size(image.format, image.extent);
    return whole ? std::string() : "a picture whose texels are not those of its extent";
}

bool is_finite(glm::vec3 v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// What SceneData promises.
std::string objection_to_scene(const SceneData& scene) {
    for (const SceneDraw& draw : scene.draws) {
        const std::uint64_t end = std::uint64_t{draw.first_index} + draw.index_count;
        if (draw.index_count % 3 != 0 || end > scene.indices.size())
            return "a draw beyond the indices";
        if (draw.material >= scene.materials.size() || draw.transform >= scene.transforms.size())
            return "a draw without its material or transform";
        if (draw.vertex_offset < 0 ||
            static_cast<std::uint64_t>(draw.vertex_offset) + draw.vertex_count >
                scene.vertices.size())
            return "a draw beyond the vertices";
        for (std::uint64_t i = draw.first_index; i < end; ++i)
            if (scene.indices[i] >= draw.vertex_count) return "an index beyond its draw's vertices";
    }
    for (const Vertex& vertex : scene.vertices)
        if (!is_finite(vertex.position)) return "a position that is not finite";
    for (const SceneMaterial& material : scene.materials)
        for (const TextureSlot* slot :
             {&material.base_color_texture, &material.metallic_roughness_texture,
              &material.normal_texture, &material.occlusion_texture, &material.emissive_texture})
            if (slot->texture >= static_cast<std::int64_t>(scene.textures.size()))
                return "a texture that is not there";
    for (const SceneTexture& texture : scene.textures)
        if (texture.image >= scene.images.size()) return "an image that is not there";
    for (const HostImage& image : scene.images)
        if (std::string objection = objection_to_image(image); !objection.empty()) return objection;
    if (scene.draw_bounds.size() != scene.draws.size()) return "draws without bounds";
    return has_errors(scene.warnings) ? "a scene with an error" : std::string();
}

std::string objection_to(const Result<SceneData>& scene) {
    return scene ? objection_to_scene(*scene) : objection_to_refusal(scene.error());
}

/// A model, whose extension is the target's name.
template <const char* kExtension>
std::string model(std::span<const std::uint8_t> bytes) {
    static InputFile file(std::string("input.") + kExtension);
    return objection_to(load_scene(file.write(bytes), file.folders()));
}

std::string objection_to(const Result<HostArray>& array) {
    if (!array) return objection_to_refusal(array.error());
    std::uint64_t count = 1;
    for (const std::uint64_t side : array->shape)
        count *= side;
    return array->bytes.size() % std::max<std::uint64_t>(count, 1) == 0 && count > 0
               ? std::string()
               : "an array whose bytes are not those of its shape";
}

std::string objection_to(const Result<Volume>& volume) {
    if (!volume) return objection_to_refusal(volume.error());
    for (const double step : volume->geometry.spacing)
        if (!std::isfinite(step) || step <= 0.0) return "a spacing that is not above 0";
    return objection_to_image(volume->image);
}

std::string picture(std::span<const std::uint8_t> bytes) {
    // The name is what TGA is known by; all others have a signature.
    for (const Format hdr : {Format::rgba32_sfloat, Format::rgba16_sfloat}) {
        const Result<HostImage> image =
            decode_image(bytes_of(bytes), "input.tga", {.hdr = hdr, .keep_16_bits = true});
        std::string objection =
            image ? objection_to_image(*image) : objection_to_refusal(image.error());
        if (!objection.empty()) return objection;
    }
    return {};
}

std::string objection_to_drawing(const Result<HostImage>& image) {
    return image ? objection_to_image(*image) : objection_to_refusal(image.error());
}

std::string svg(std::span<const std::uint8_t> bytes) {
    for (const DrawingOptions& options :
         {DrawingOptions{}, DrawingOptions{.size = {{40, 30}}, .coverage = true}})
        if (std::string objection =
                objection_to_drawing(decode_drawing(bytes_of(bytes), "input.svg", options));
            !objection.empty())
            return objection;
    return {};
}

std::string font(std::span<const std::uint8_t> bytes) {
    return objection_to_drawing(
        draw_text({.text = "AVa\nb", .size = 20.0f}, bytes_of(bytes), "input.ttf"));
}

std::string volume(std::span<const std::uint8_t> bytes) {
    static InputFile file("input.nrrd");
    const fs::path& path = file.write(bytes);
    if (const auto data = volume_data_file(path); data && data->empty()) return "data in no file";
    return objection_to(load_volume(path, {.confined_to = file.folders()}));
}

std::string npy(std::span<const std::uint8_t> bytes) {
    static InputFile file("input.npy");
    const fs::path& path = file.write(bytes);
    if (std::string objection = objection_to(load_array(path)); !objection.empty())
        return objection;
    if (std::string objection = objection_to(load_volume(path)); !objection.empty())
        return objection;
    return picture(bytes);
}

std::string csv(std::span<const std::uint8_t> bytes) {
    static InputFile file("input.csv");
    const fs::path& path = file.write(bytes);
    for (const auto type : {ElementType::f32, ElementType::u8, ElementType::i64})
        if (std::string objection = objection_to(load_array(path, {.type = type}));
            !objection.empty())
            return objection;
    return {};
}

std::string objection_to(const ExpressionFault& fault, std::size_t length) {
    if (fault.code.empty() || fault.message.empty()) return "a fault without a code or a message";
    return fault.begin <= fault.end && fault.end <= length ? std::string()
                                                           : "a fault outside of the text";
}

std::string expression(std::span<const std::uint8_t> bytes) {
    const std::string_view text = text_of(bytes);
    const auto parsed = Expression::parse(text);
    if (!parsed) return objection_to(parsed.error(), text.size());
    const std::array<ExpressionValue, 3> kinds = {2.5, true, std::string("wide")};
    for (std::size_t first = 0; first < kinds.size(); ++first) {
        std::vector<ExpressionValue> values;
        for (std::size_t i = 0; i < parsed->names().size(); ++i)
            values.push_back(kinds[(first + i) % kinds.size()]);
        const auto value = parsed->evaluate(values);
        if (value) continue;
        if (std::string objection = objection_to(value.error(), text.size()); !objection.empty())
            return objection;
    }
    return {};
}

std::string checkpoint(std::span<const std::uint8_t> bytes) {
    const Result<Checkpoint> read = parse_manifest(text_of(bytes), "checkpoint");
    if (!read) return objection_to_refusal(read.error());
    for (const CheckpointHistory& history : read->histories)
        if (history.file.find('/') != std::string::npos || history.file.starts_with('.'))
            return "a history's file that lies elsewhere";
    return {};
}

/// Strands of a groom that was read: in order, within their points, and even ones that are finite.
std::string objection_to_hair(const passes::HairLines& lines) {
    if (!std::ranges::is_sorted(lines.firsts)) return "strands that are not in order";
    if (!lines.firsts.empty() && lines.firsts.back() > lines.points.size())
        return "a strand beyond the points";
    constexpr std::uint32_t kVertices = 8;
    constexpr std::uint32_t kMax = 4096;
    const passes::EvenStrands even = passes::resampled(lines, kVertices, kMax);
    if (even.points.size() != std::size_t{kVertices} * even.count)
        return "even strands of another number of points";
    if (even.count + even.left_out != std::min<std::size_t>(lines.count(), kMax))
        return "strands that are lost";
    for (const glm::vec3& p : even.points)
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
            return "a point that is not finite";
    return {};
}

std::string hair(std::span<const std::uint8_t> bytes) {
    for (const auto& lines :
         {passes::read_hair_file(bytes_of(bytes)), passes::read_hair_rows(bytes_of(bytes))})
        if (lines)
            if (std::string objection = objection_to_hair(*lines); !objection.empty())
                return objection;
    return {};
}

std::string shader_pack(std::span<const std::uint8_t> bytes) {
    const std::vector<std::byte> aligned(bytes_of(bytes).begin(), bytes_of(bytes).end());
    const std::byte* const end = aligned.data() + aligned.size();
    for (const EmbeddedShader& shader : read_shader_pack(aligned)) {
        if (shader.deflated.data() < aligned.data() ||
            shader.deflated.data() + shader.deflated.size() > end)
            return "words beyond the pack";
        const std::size_t words = words_of(shader).size();
        if (words != 0 && words != shader.word_count) return "words of another number";
        const auto name = std::as_bytes(std::span(shader.name));
        if (name.data() < aligned.data() || name.data() + name.size() > end)
            return "a name beyond the pack";
    }
    return {};
}

/// What jpeg/decode gives its kernels.
std::string jpeg_stream(std::span<const std::uint8_t> bytes) {
    namespace jpeg = passes::jpeg;
    const auto file = bytes_of(bytes);
    const auto header = jpeg::read_header(file);
    if (!header) return objection_to_refusal(header.error());
    if (header->mcu_count() == 0 || header->blocks_of_mcu() > 10 ||
        header->first_byte > file.size())
        return "a picture of no size, or data behind the end";
    const jpeg::LookupTables tables = jpeg::lookup_tables(*header);
    for (const std::uint32_t word : tables.words)
        if (word >> 31 != 0 && (word ^ 1u << 31) + 64 > tables.words.size())
            return "a code beyond the tables";
    const auto stream = jpeg::read_stream(file, *header);
    if (!stream) return objection_to_refusal(stream.error());
    std::uint64_t mcus = 0;
    std::uint32_t subsequences = 0;
    for (const jpeg::DecodeSegment& segment : stream->segments) {
        if (segment.first_bit % 32 != 0 || segment.end_bit < segment.first_bit ||
            segment.end_bit > 32 * stream->words.size())
            return "a segment beyond the stream";
        if (segment.first_mcu != mcus || segment.first_subsequence != subsequences ||
            segment.subsequences == 0)
            return "segments that do not follow one another";
        mcus += segment.blocks / header->blocks_of_mcu();
        subsequences += segment.subsequences;
    }
    if (mcus > header->mcu_count()) return "more units than the picture has";
    if (stream->segment_of.size() != subsequences) return "subsequences without a segment";
    for (const std::uint32_t segment : stream->segment_of)
        if (segment >= stream->segments.size()) return "a segment that is not there";
    return {};
}

std::string config(std::span<const std::uint8_t> bytes) {
    return objection_to_config(text_of(bytes));
}

constexpr char kGltf[] = "gltf";
constexpr char kGlb[] = "glb";
constexpr char kObj[] = "obj";
constexpr char kPly[] = "ply";
constexpr char kOff[] = "off";
constexpr char kStl[] = "stl";
constexpr char kDae[] = "dae";
constexpr char kX3d[] = "x3d";
constexpr char kDxf[] = "dxf";
constexpr char kAc[] = "ac";
constexpr char kSmd[] = "smd";
constexpr char kNff[] = "nff";
constexpr char kX[] = "x";
constexpr char kFbx[] = "fbx";

constexpr auto kTargets = std::to_array<Target>({
    {"config", config},
    {"expression", expression},
    {"checkpoint", checkpoint},
    {"shader_pack", shader_pack},
    {kGltf, model<kGltf>},
    {kGlb, model<kGlb>},
    {kObj, model<kObj>},
    {kPly, model<kPly>},
    {kOff, model<kOff>},
    {kStl, model<kStl>},
    {kDae, model<kDae>},
    {kX3d, model<kX3d>},
    {kDxf, model<kDxf>},
    {kAc, model<kAc>},
    {kSmd, model<kSmd>},
    {kNff, model<kNff>},
    {kX, model<kX>},
    {kFbx, model<kFbx>},
    {"png", picture},
    {"jpeg", picture},
    {"jpeg_stream", jpeg_stream},
    {"hdr", picture},
    {"exr", picture},
    {"tga", picture},
    {"bmp", picture},
    {"svg", svg},
    {"font", font},
    {"npy", npy},
    {"csv", csv},
    {"nrrd", volume},
    {"nifti", volume},
    {"vti", volume},
    {"vdb", volume},
    {"hair", hair},
});

} // namespace

std::span<const Target> targets() {
    return kTargets;
}

const Target* find_target(std::string_view name) {
    const auto found = std::ranges::find(kTargets, name, &Target::name);
    return found == kTargets.end() ? nullptr : &*found;
}

} // namespace tuff::fuzz
