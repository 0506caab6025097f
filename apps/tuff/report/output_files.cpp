#include "apps/tuff/report/output_files.hpp"

#include "apps/shared/jpeg_file.hpp"
#include "apps/tuff/report/film.hpp"
#include "core/element_numbers.hpp"
#include "scene/image/image_codec.hpp"

#include <tuff/mesh.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

namespace tuff::cli {
namespace fs = std::filesystem;
namespace {

std::unexpected<Failure> bad_pattern(std::string_view text) {
    return usage_failure(
        fail("cli/bad-pattern",
             fmt::format("'{}' is not a file name with one frame number such as %04d", text),
             "write %% for a percent sign")
            .error());
}

std::unexpected<Failure> unknown_output(std::string_view name,
                                        const std::vector<ConfiguredOutput>& configured) {
    std::vector<std::string> known;
    for (const ConfiguredOutput& output : configured)
        known.push_back(output.name);
    const std::string_view near = nearest_name(name, known);
    return usage_failure(fail("cli/unknown-output",
                              fmt::format("the config has no output '{}'", name),
                              near.empty() ? fmt::format("its outputs: {}", fmt::join(known, ", "))
                                           : fmt::format("did you mean '{}'?", near))
                             .error());
}

const OutputDesc* find_output(const Plan& plan, std::string_view name) {
    for (const OutputDesc& output : plan.graph.outputs)
        if (!output.reader && plan.graph.name(output.name) == name) return &output;
    return nullptr;
}

void append_number(std::string& text, ElementType type, const std::byte* at) {
    with_number(type, at,
                [&](auto value) { fmt::format_to(std::back_inserter(text), "{}", +value); });
}

/// The members' names; those of vectors and arrays are numbered.
std::string heading(const BufferElements& records) {
    std::string text;
    for (const ElementMember& member : records.members())
        for (std::uint32_t i = 0; i < member.count; ++i)
            text += fmt::format("{}{}{}", text.empty() ? "" : ",", member.name,
                                member.count > 1 ? fmt::format("[{}]", i) : "");
    return text + '\n';
}

/// A line for each element, a column for each number in it. Plain numbers stand in rows where the
/// buffer has records of several.
std::string comma_separated(const FetchedOutput& output) {
    const BufferElements& elements = output.elements;
    const std::size_t stride = elements.bytes();
    const bool in_rows = !elements.is_record() && elements.members().front().count == 1;
    const std::size_t per_line =
        in_rows ? std::max<std::size_t>(output.record_bytes / stride, 1) : 1;
    const std::size_t count = output.bytes.size() / stride;
    std::string text = elements.is_record() ? heading(elements) : std::string{};
    for (std::size_t i = 0; i < count; ++i) {
        bool first = true;
        for (const ElementMember& member : elements.members())
            for (std::uint32_t n = 0; n < member.count; ++n) {
                if (!std::exchange(first, false)) text += ',';
                append_number(text, member.type,
                              output.bytes.data() + i * stride + member.offset +
                                  n * element_bytes(member.type));
            }
        text += (i + 1) % per_line == 0 || i + 1 == count ? '\n' : ',';
    }
    return text;
}

/// Before anything runs, as far as that takes no time: each frame is looked at again in its turn.
Result<void> check_frames(const ConfiguredOutput& output, const FilePattern& pattern,
                          const OutputFolders& folders, const FrameRange& frames) {
    constexpr std::int64_t kMaxChecked = 10'000;
    const std::int64_t checked = pattern.numbered() ? std::min(frames.count(), kMaxChecked) : 1;
    for (std::int64_t frame = frames.first; frame < frames.first + checked; ++frame)
        if (auto path = output_path(output, pattern.name(frame), folders); !path)
            return propagate(std::move(path));
    return {};
}

} // namespace

Outcome<FilePattern> FilePattern::parse(std::string_view text, const fs::path& folder) {
    FilePattern pattern;
    pattern.folder_ = folder;
    std::string* part = &pattern.before_;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            *part += text[i];
            continue;
        }
        if (i + 1 < text.size() && text[i + 1] == '%') {
            *part += '%';
            ++i;
            continue;
        }
        const std::size_t end = text.find_first_not_of("0123456789", i + 1);
        if (pattern.numbered_ || end == std::string_view::npos || text[end] != 'd' || end - i > 3)
            return bad_pattern(text);
        // "%4d" would pad with spaces, which nobody wants in a file name: both forms pad with 0.
        std::from_chars(text.data() + i + 1, text.data() + end, pattern.digits_);
        pattern.numbered_ = true;
        part = &pattern.after_;
        i = end;
    }
    return pattern;
}

fs::path FilePattern::name(std::int64_t frame) const {
    if (!numbered_) return before_;
    return fmt::format("{}{:0{}}{}", before_, frame, digits_, after_);
}

fs::path FilePattern::collection() const {
    std::string stem = before_;
    while (stem.ends_with('_') || stem.ends_with('-') || stem.ends_with('.'))
        stem.pop_back();
    if (stem.empty() || stem.ends_with('/')) stem += "series";
    return stem + ".pvd";
}

Outcome<std::vector<OutputFile>> plan_output_files(const std::vector<ConfiguredOutput>& configured,
                                                   const std::vector<std::string>& outs,
                                                   const OutputFolders& folders,
                                                   const FrameRange& frames) {
    struct Chosen {
        const ConfiguredOutput* output;
        std::string file; ///< the user's; empty: the config's
    };
    std::vector<Chosen> chosen;
    for (const ConfiguredOutput& output : configured)
        if (!output.file.empty()) chosen.push_back({&output, {}});
    for (const std::string& out : outs) {
        const std::size_t equals = out.find('=');
        const std::string name = equals != std::string::npos
                                     ? out.substr(0, equals)
                                     : (configured.empty() ? "" : configured.front().name);
        const auto output = std::ranges::find(configured, name, &ConfiguredOutput::name);
        if (output == configured.end()) return unknown_output(name, configured);
        std::string file = equals == std::string::npos ? out : out.substr(equals + 1);
        const auto known = std::ranges::find(chosen, &*output, &Chosen::output);
        if (known != chosen.end())
            known->file = std::move(file);
        else
            chosen.push_back({&*output, std::move(file)});
    }

    std::vector<OutputFile> files;
    Diagnostics problems;
    const auto report = [&](Diagnostics found) {
        std::ranges::move(found, std::back_inserter(problems));
    };
    for (const auto& [output, named] : chosen) {
        const bool by_config = named.empty();
        auto pattern = FilePattern::parse(by_config ? output->file.string() : named,
                                          by_config ? folders.out_dir : fs::path());
        if (!pattern) return pass_on(std::move(pattern));
        if (by_config)
            if (auto safe = check_frames(*output, *pattern, folders, frames); !safe) {
                report(std::move(safe.error()));
                continue;
            }
        if (auto known = check_extension(*output, pattern->file(0), !by_config); !known)
            report(std::move(known.error()));
        else if (pattern->numbered() && output->type != "Buffer" && is_film_name(pattern->file(0)))
            report(
                {{.code = "cli/bad-pattern",
                  .message = fmt::format("output \"{}\" is a film, one file for all frames, and "
                                         "'{}' numbers them",
                                         output->name, by_config ? output->file.string() : named),
                  .where = by_config ? output->where : SourcePlace{},
                  .hint = "leave the number out, or number pictures"}});
        files.push_back({output->name, std::move(*pattern),
                         by_config ? std::optional(*output) : std::nullopt, output->of_field});
    }
    if (!problems.empty()) return usage_failure(std::move(problems));
    return files;
}

namespace {

Outcome<fs::path> ready_name(const OutputFile& file, const fs::path& name,
                             const OutputFolders& folders) {
    if (!file.configured) return file.pattern.below_folder(name);
    auto path = output_path(*file.configured, name, folders);
    if (!path) return usage_failure(std::move(path.error()));
    std::error_code ignored; // a folder that cannot be made shows as unwritable
    if (path->has_parent_path()) fs::create_directories(path->parent_path(), ignored);
    return std::move(*path);
}

} // namespace

Outcome<fs::path> ready_file(const OutputFile& file, std::int64_t frame,
                             const OutputFolders& folders) {
    return ready_name(file, file.pattern.name(frame), folders);
}

Outcome<fs::path> ready_collection(const OutputFile& file, const OutputFolders& folders) {
    return ready_name(file, file.pattern.collection(), folders);
}

Outcome<FetchedOutput> fetch_output(Executor& executor, std::string_view output, std::uint32_t mip,
                                    std::uint32_t layer) {
    FetchedOutput fetched{.name = std::string(output)};
    const Plan& plan = executor.plan();
    const OutputDesc* const desc = find_output(plan, output);
    const ResourceDesc* const resource = desc ? &plan.graph.resource_of(desc->version) : nullptr;
    fetched.is_image = !resource || resource->is_image();
    if (fetched.is_image) {
        auto image = executor.read_image(output, mip, layer);
        if (!image) return run_failure(std::move(image.error()));
        fetched.image = std::move(*image);
    } else {
        auto bytes = executor.read_buffer(output);
        if (!bytes) return run_failure(std::move(bytes.error()));
        fetched.bytes = std::move(*bytes);
        fetched.record_bytes = resource->buffer().stride;
        fetched.elements = desc->elements ? desc->elements : BufferElements::of<float>();
    }
    return fetched;
}

Diagnostics clipped_values(std::string_view name, const FetchedOutput& output,
                           const fs::path& file) {
    static constexpr std::array<std::string_view, 3> kOfScreens = {".png", ".jpg", ".jpeg"};
    const FormatInfo& facts = info(output.image.format);
    const bool floats = facts.kind == NumericKind::sfloat || facts.kind == NumericKind::ufloat;
    if (!output.is_image || !floats ||
        (std::ranges::find(kOfScreens, file.extension().string()) == kOfScreens.end() &&
         !is_film_name(file)))
        return {};
    const Extent extent = output.image.extent;
    std::uint64_t beyond = 0;
    float greatest = 1.0f;
    for (std::uint32_t y = 0; y < extent.height; ++y)
        for (std::uint32_t x = 0; x < extent.width; ++x) {
            const auto texel = output.image.texel(x, y);
            const float value = std::max({texel[0], texel[1], texel[2]});
            beyond += value > 1.0f ? 1 : 0;
            greatest = std::max(greatest, value);
        }
    if (beyond == 0) return {};
    const double share =
        100.0 * static_cast<double>(beyond) / (double{1} * extent.width * extent.height);
    return {{.code = "cli/clipped",
             .severity = Severity::warning,
             .message = fmt::format("{}: {:.3g} % of the texels are brighter than 1, up to {:.3g}, "
                                    "which '{}' cuts off",
                                    name, share, greatest, file.string()),
             .hint = "tone-map it first (image/tonemap), or write .exr or .hdr"}};
}

bool is_jpeg_name(const fs::path& file) {
    return file.extension() == ".jpg" || file.extension() == ".jpeg";
}

Outcome<void> save_jpeg(const FetchedOutput& output, const fs::path& file,
                        std::span<const ImageText> texts) {
    const auto jpeg = find_jpeg(output.bytes);
    if (!jpeg) return run_failure(jpeg.error());
    const std::vector<std::byte> bytes =
        codec::with_jpeg_comment({jpeg->bytes.begin(), jpeg->bytes.end()}, texts);
    return write_text_file(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Outcome<void> save_output(const FetchedOutput& output, const fs::path& file,
                          std::span<const ImageText> texts) {
    if (output.is_image && is_volume_file(file)) {
        const VolumeGeometry geometry = output.geometry.value_or(VolumeGeometry{});
        if (auto saved = save_volume(file, output.image, geometry, output.name); !saved)
            return run_failure(std::move(saved.error()));
        return {};
    }
    if (output.is_image) {
        if (auto saved = save_image(file, output.image, texts); !saved)
            return run_failure(std::move(saved.error()));
        return {};
    }
    if (is_jpeg_name(file)) return save_jpeg(output, file, {});
    if (is_mesh_file(file)) {
        const auto mesh = unpack_mesh(output.bytes);
        if (!mesh) return run_failure(mesh.error());
        if (auto saved = save_mesh(file, *mesh); !saved)
            return run_failure(std::move(saved.error()));
        return {};
    }
    if (file.extension() == ".csv") return write_text_file(file, comma_separated(output));
    if (file.extension() != ".npy")
        return write_text_file(
            file, {reinterpret_cast<const char*>(output.bytes.data()), output.bytes.size()});
    const std::uint64_t count = output.bytes.size() / output.elements.bytes();
    if (auto saved = save_npy(file, output.elements, count, output.bytes); !saved)
        return run_failure(std::move(saved.error()));
    return {};
}

} // namespace tuff::cli
