#include "apps/shared/commands.hpp"
#include "apps/shared/flags.hpp"
#include "apps/tuff/page/explain_page.hpp"
#include "apps/tuff/page/plan_json.hpp"
#include "apps/tuff/ranks/rank_flags.hpp"
#include "apps/tuff/report/own_part.hpp"
#include "core/text_table.hpp"

#include <tuff/executor.hpp>
#include <tuff/explain.hpp>
#include <tuff/ranks.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tuff::cli {
namespace {

enum class Format : std::uint8_t { text, dot, svg, json };
/// Of a device that is described, not opened.
enum class Limits : std::uint8_t { core, large };

struct ExplainFlags {
    ConfigFlags config;
    CompileFlags compile;
    DeviceFlags device;
    Format format = Format::text;
    Limits limits = Limits::core;
    std::string out;
    std::string html;
    bool full = false;
    bool tradeoff = false;
    std::string grid; ///< of ranks, "2,2,1"
    std::uint32_t rank = 0;
};

/// Of a rank that need not be there.
Result<void> take_rank(Config& config, const ExplainFlags& options) {
    if (options.grid.empty()) {
        if (options.rank == 0) return {};
        return fail("cli/bad-ranks",
                    fmt::format("--rank {}: one process has no others", options.rank),
                    "give the grid of processes besides: --ranks 2,2,1");
    }
    const auto grid = read_grid(options.grid);
    if (!grid) return std::unexpected(grid.error());
    Ranks ranks{.grid = *grid};
    if (auto set = config.set_ranks(ranks); !set) return set;
    ranks.rank = options.rank;
    if (ranks.rank >= ranks.size())
        return fail("cli/bad-ranks", fmt::format("--rank {}: {} processes have the ranks 0 to {}",
                                                 ranks.rank, ranks.size(), ranks.size() - 1));
    return config.set_ranks(ranks);
}

/// The features are those of the core tier, so plans have the kernels that run everywhere.
DeviceCaps described_device(Limits limits) {
    DeviceCaps caps;
    caps.name = "any of the core tier; sizes are exact texel counts";
    if (limits == Limits::core) return caps;
    caps.name = "a large GPU: buffers of 4 GiB, memory of 80 GiB; sizes are exact texel counts";
    caps.max_storage_buffer_bytes = (std::uint64_t{1} << 32) - 1;
    caps.device_memory_bytes = std::uint64_t{80} << 30;
    caps.max_group_count[0] = 0x7fff'ffff;
    return caps;
}

/// Buffers that are larger than every device has them may yet fit the one that is meant.
Diagnostics with_limits_named(Diagnostics problems, const ExplainFlags& options) {
    if (options.limits != Limits::core || !options.device.select.empty()) return problems;
    for (Diagnostic& problem : problems)
        if (problem.code == "graph/buffer-range")
            problem.hint += "; --limits large plans for a GPU with larger buffers";
    return problems;
}

std::string formatted(const Plan& plan, Format format, const ExplainOptions& words) {
    switch (format) {
    case Format::text: return explain(plan, words);
    case Format::dot: return explain_dot(plan, words);
    case Format::svg: return explain_svg(plan, words);
    case Format::json: return plan_json(plan, {.title = words.title, .device = words.device->name});
    }
    return {};
}

/// The page takes the place of the text on the terminal; files and drawings are written as well.
Outcome<void> write_explanations(const Plan& plan, const std::vector<ConfiguredNode>& nodes,
                                 const ExplainFlags& options, const ExplainOptions& words,
                                 Terminal& terminal) {
    if (!options.html.empty()) {
        const std::string page =
            explain_page(plan, {.title = words.title, .device = words.device->name});
        if (auto written = write_text_file(options.html, page); !written) return written;
        if (options.format == Format::text && options.out.empty()) {
            terminal.print("wrote " + options.html + "\n");
            return {};
        }
    }
    std::string text = formatted(plan, options.format, words);
    if (options.format == Format::text)
        text += own_part_section(nodes, TextStyle(words.colour == ExplainColour::on
                                                      ? TextStyle::Colour::on
                                                      : TextStyle::Colour::off));
    if (!options.out.empty()) return write_text_file(options.out, text);
    terminal.print(text);
    return {};
}

/// The curve of barriers against bytes: each line takes less memory than the one before.
Outcome<std::string> tradeoff_text(const GraphDesc& graph, const DeviceCaps& caps,
                                   CompileOptions options) {
    constexpr int kMaxLines = 64;
    TextTable table({Align::right, Align::right, Align::right, Align::right});
    table.add({"levels", "batches", "memory", "live at once"});
    std::uint64_t least = ~0ull;
    options.memory_budget = 0;
    for (int line = 0; line < kMaxLines; ++line) {
        const auto plan = compile(graph, caps, options);
        if (!plan) return usage_failure(plan.error());
        const PlanStatistics& s = plan->statistics;
        if (s.peak_bytes >= least) break;
        least = s.peak_bytes;
        table.add({fmt::format("{}", s.levels), fmt::format("{}", s.batches),
                   human_bytes(s.transient_bytes), human_bytes(s.peak_bytes)});
        if (least <= 1) break;
        options.memory_budget = least - 1;
    }
    return table.text();
}

Outcome<void> explain_action(const ExplainFlags& options, Terminal& terminal) {
    auto config = OpenedConfig::open(options.config, terminal);
    if (!config) return pass_on(std::move(config));
    if (auto taken = take_rank(config->config(), options); !taken)
        return usage_failure(std::move(taken.error()));
    DeviceCaps caps = described_device(options.limits);
    std::optional<Device> device;
    std::unique_ptr<MemoryModel> memory;
    CompileFlags compile_options = options.compile;
    if (!options.device.select.empty()) {
        DeviceFlags flags = options.device;
        flags.frames = 1; // none is run, so it loses no memory
        auto opened = open_device(flags, terminal);
        if (!opened) return pass_on(std::move(opened));
        device.emplace(std::move(*opened));
        caps = device->caps();
        memory = memory_model(*device);
        compile_options.memory = memory.get();
    }
    // Passes choose their kernels by it.
    config->set_target(caps);
    auto built = config->build({});
    if (!built) return pass_on(std::move(built));
    if (options.tradeoff) {
        auto text = tradeoff_text(built->graph, caps, compile_options);
        if (!text) return pass_on(std::move(text));
        terminal.print(*text);
        return {};
    }
    auto plan = compile(std::move(built->graph), caps, compile_options);
    if (!plan) return usage_failure(with_limits_named(std::move(plan.error()), options));

    const bool coloured = options.out.empty() && terminal.output_style().on();
    const ExplainOptions words{.colour = coloured ? ExplainColour::on : ExplainColour::off,
                               .detail = options.full ? ExplainDetail::full : ExplainDetail::normal,
                               .title = options.config.config,
                               .device = &caps};
    return write_explanations(*plan, built->nodes, options, words, terminal);
}

} // namespace

void add_explain_command(Command& app, Action& action) {
    auto options = std::make_shared<ExplainFlags>();
    options->compile.constant = ConstantWork::once;
    Command* command = app.add_subcommand(
        "explain", "Explain the order, each barrier and the memory; needs no device");
    add_config_flags(*command, options->config);
    Option* const device =
        command
            ->add_option("--device", options->device.select,
                         "Compile for this device: with the kernels that it can run and its "
                         "driver's memory sizes")
            ->type_name(std::string(kDeviceType));
    add_choice(
        *command, "--limits", options->limits, {"core", "large"},
        "Without a device: the limits that every device has, as buffers of 128 MiB, or those "
        "of a large GPU: buffers of 4 GiB and memory of 80 GiB")
        ->excludes(device);
    add_choice(*command, "--format", options->format, {"text", "dot", "svg", "json"},
               "text (default); dot, for Graphviz; svg, a drawing; json, for programs");
    command->add_option("--out", options->out, "Write to this file instead of standard output")
        ->type_name(std::string(kFileType));
    command
        ->add_option("--html", options->html,
                     "Write a page for a browser: graph, timeline, memory, barriers")
        ->type_name(std::string(kFileType));
    command
        ->add_option("--ranks", options->grid,
                     "What one of so many processes along x, y and z does, which divide the "
                     "config's domain; none of them need be there")
        ->type_name("X,Y,Z");
    command->add_option("--rank", options->rank, "Which of them; default: the first, 0")
        ->type_name("N");
    command->add_flag("--full", options->full, "Also list resources that outlive an execution");
    command->add_flag("--tradeoff", options->tradeoff,
                      "Print instead how many barriers a smaller --memory-budget costs");
    add_compile_flags(*command, options->compile);
    command->footer("Examples:\n  tuff explain demo\n  tuff explain demo --tradeoff\n"
                    "  tuff explain demo --html demo.html    then open demo.html in a browser\n"
                    "  tuff explain demo --format svg --out demo.svg");
    command->callback([options, &action] {
        action = [options](Terminal& terminal) {
            return within_limits(options->config.confinement,
                                 [&] { return explain_action(*options, terminal); });
        };
    });
}

} // namespace tuff::cli
