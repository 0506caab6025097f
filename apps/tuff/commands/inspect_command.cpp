#include "apps/shared/commands.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/frame_runner.hpp"
#include "apps/tuff/report/image_statistics.hpp"
#include "apps/tuff/report/json_answer.hpp"
#include "apps/tuff/report/output_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

namespace tuff::cli {
namespace {

/// How the bytes of a buffer are read.
enum class ReadAs : std::uint8_t { declared, f32, u32, i32, u8 };

struct InspectOptions {
    ConfigFlags config;
    CompileFlags compile;
    DeviceFlags device;
    std::string wire;
    std::string out;
    std::int64_t frames = 1;
    double fps = 60.0;
    std::uint32_t mip = 0;
    std::uint32_t layer = 0;
    ReadAs as = ReadAs::declared;
    bool json = false;
};

/// What the user asks for; unknown: what the buffer is declared to be.
BufferElements asked(ReadAs as) {
    switch (as) {
    case ReadAs::f32: return BufferElements::of<float>();
    case ReadAs::u32: return BufferElements::of<std::uint32_t>();
    case ReadAs::i32: return BufferElements::of<std::int32_t>();
    case ReadAs::u8: return BufferElements(ElementType::u8);
    case ReadAs::declared: break;
    }
    return {};
}

Json::Value numbers_json(const std::string& wire, const FetchedOutput& fetched) {
    Json::Value json;
    json["wire"] = wire;
    json["kind"] = fetched.is_image ? "image" : "buffer";
    if (fetched.is_image) {
        const Extent extent = fetched.image.extent;
        for (const std::uint32_t side : {extent.width, extent.height, extent.depth})
            json["extent"].append(side);
        json["format"] = std::string(info(fetched.image.format).name);
    } else {
        json["bytes"] = Json::UInt64(fetched.bytes.size());
        json["elements"] = std::string(fetched.elements.name());
    }
    json["channels"] = Json::Value(Json::arrayValue);
    for (const ChannelStatistics& channel :
         fetched.is_image ? image_statistics(fetched.image)
                          : buffer_statistics(fetched.bytes, fetched.elements)) {
        Json::Value& entry = json["channels"].append({});
        entry["name"] = channel.name;
        entry["finite"] = Json::UInt64(channel.finite);
        entry["nan"] = Json::UInt64(channel.nan);
        entry["infinite"] = Json::UInt64(channel.infinite);
        if (channel.finite == 0) continue;
        entry["low"] = channel.low;
        entry["high"] = channel.high;
        entry["mean"] = channel.mean;
    }
    return json;
}

/// "spacing 0.5 0.5 2, origin 0 0 -10"
std::string place_text(const VolumeGeometry& geometry) {
    return fmt::format("spacing {:.6g}, origin {:.6g}", fmt::join(geometry.spacing, " "),
                       fmt::join(geometry.origin, " "));
}

std::string summary(const std::string& wire, const FetchedOutput& fetched) {
    if (!fetched.is_image)
        return fmt::format("{}: buffer of {}, {} ({} bytes)\n{}", wire, fetched.elements.name(),
                           human_bytes(fetched.bytes.size()), fetched.bytes.size(),
                           statistics_table(buffer_statistics(fetched.bytes, fetched.elements)));
    const Extent extent = fetched.image.extent;
    std::string size = fmt::format("{}x{}", extent.width, extent.height);
    if (extent.depth > 1) size += fmt::format("x{}", extent.depth);
    if (fetched.geometry) size += fmt::format(" ({})", place_text(*fetched.geometry));
    return fmt::format("{}: {} {}\n{}", wire, size, info(fetched.image.format).name,
                       statistics_table(image_statistics(fetched.image)));
}

/// What is looked at, an output of `config` from now on. Unless it is named: the contents of a
/// model, picture or volume that stands for a config, or the first output.
Outcome<std::string> chosen_wire(const InspectOptions& options, OpenedConfig& opened) {
    const std::string wire = options.wire.empty() ? opened.subject() : options.wire;
    Config& config = opened.config();
    if (wire.empty() && !config.outputs().empty()) return config.outputs().front().name;
    if (wire.empty())
        return usage_failure(fail("cli/unknown-output", "the config has no output",
                                  "name what to look at: NODE.PORT")
                                 .error());
    if (auto added = config.add_output(wire); !added)
        return usage_failure(std::move(added.error()));
    return wire;
}

Outcome<void> inspect(const InspectOptions& options, Terminal& terminal, Json::Value& result) {
    auto config = OpenedConfig::open(options.config, terminal);
    if (!config) return pass_on(std::move(config));
    const auto wire = chosen_wire(options, *config);
    if (!wire) return std::unexpected(wire.error());
    if (!options.out.empty())
        if (auto writable = check_writable(options.out); !writable) return writable;

    DeviceFlags device = options.device;
    device.frames = static_cast<std::uint64_t>(options.frames);
    auto runner =
        FrameRunner::start(*config, options.compile, device, frame_time(0, options.fps), terminal);
    if (!runner) return pass_on(std::move(runner));
    for (std::int64_t frame = 0; frame < options.frames; ++frame)
        if (auto run = runner->run(frame_time(frame, options.fps)); !run) return run;
    auto fetched = fetch_output(runner->executor(), *wire, options.mip, options.layer);
    if (!fetched) return pass_on(std::move(fetched));
    fetched->geometry = runner->geometry_of(*wire);
    if (auto finished = runner->finish(); !finished) return finished;
    if (const BufferElements as = asked(options.as)) fetched->elements = as;
    if (options.json) result = numbers_json(*wire, *fetched);
    if (options.out.empty()) {
        terminal.print(summary(*wire, *fetched));
        return {};
    }
    if (auto saved = save_output(*fetched, options.out); !saved) return saved;
    result["file"] = options.out;
    terminal.print(fmt::format("wrote {}\n", options.out));
    return {};
}

} // namespace

void add_inspect_command(Command& app, Action& action) {
    auto options = std::make_shared<InspectOptions>();
    Command* command = app.add_subcommand(
        "inspect", "Show the size and values of any intermediate, or write it to a file");
    add_config_flags(*command, options->config);
    command
        ->add_option("wire", options->wire,
                     "What to look at: node.port, used/node.port, an asset, a history, a bundle's "
                     "member; default: the first output, or the file given as CONFIG")
        ->type_name("NODE.PORT");
    command
        ->add_option("--out", options->out,
                     "Write a picture, a volume or numbers; the extension decides")
        ->type_name(std::string(kFileType));
    command->add_option("--frames", options->frames, "Frames to run; the last is shown")
        ->type_name("N")
        ->range(1, 1'000'000'000);
    command->add_option("--fps", options->fps, "Frames a second: $time is frame / fps")
        ->type_name("F")
        ->range(1e-3, 1e6);
    command->add_option("--mip", options->mip, "Mip level of an image")->type_name("N");
    command->add_option("--layer", options->layer, "Layer or cube face of an image")
        ->type_name("N");
    add_choice(*command, "--as", options->as, {"declared", "f32", "u32", "i32", "u8"},
               "Element type of a buffer");
    add_json_flag(*command, options->json);
    add_device_flags(*command, options->device);
    add_compile_flags(*command, options->compile);
    command->footer("Examples:\n  tuff inspect demo display.result\n"
                    "  tuff inspect demo view.color --out hdr.exr\n"
                    "  tuff inspect photo.exr");
    command->callback([options, &action] {
        action = [options](Terminal& terminal) {
            return within_limits(options->config.confinement, [&] {
                return answer(options->json, "inspect", terminal, [&](Json::Value& result) {
                    return inspect(*options, terminal, result);
                });
            });
        };
    });
}

} // namespace tuff::cli
