#include "fault_program.hpp"

namespace tuff::testing_gpu {
namespace {

constexpr std::uint32_t kAdded = 100;
constexpr std::uint32_t kUploaded = 1000;
constexpr std::uint32_t kNarrow = 6;
constexpr std::uint32_t kWide = 11;

/// Words that no pass complains of.
struct NoComplaint {
    static NoComplaint read(std::span<const std::uint32_t>) { return {}; }
    Diagnostics warnings() const { return {}; }
};

std::vector<std::uint32_t> four(std::uint32_t value) {
    return std::vector<std::uint32_t>(4, value);
}

/// What graphs of one structure share.
struct Constants {
    using Bytes = std::shared_ptr<const std::vector<std::byte>>;
    Bytes positions = bytes_of(std::vector<float>{-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1});
    Bytes paint = bytes_of(std::vector<float>{1, 0, 0, 1});
    Bytes added = bytes_of(four(kAdded));
};

Image triangle(Graph& g, const ImageDesc& desc, const Constants& constants) {
    auto node = g.raster("test/triangle");
    node.read("vertices", g.constant_buffer("positions", {.size = 48}, constants.positions));
    node.read("paint", g.constant_buffer("paint", {.size = 16}, constants.paint));
    const Image target = node.color(g.image("target", desc), cleared(0));
    node.draw({.count = 3});
    return target;
}

class RunnerProgram final : public FaultProgram {
  public:
    RunnerProgram(Device& device, const ShaderLibrary& shaders, GraphRunnerOptions options)
        : device_(device), shaders_(shaders), runner_(device, options) {}

    std::vector<ProgramStep> steps() override;

  private:
    GraphDesc graph_of(std::uint32_t width) const;
    Result<void> take(std::uint32_t width);
    Result<void> execute();
    Result<void> read_words();
    Result<void> read_picture(std::uint32_t width);

    Device& device_;
    const ShaderLibrary& shaders_;
    Constants constants_;
    GraphRunner runner_;
    std::uint32_t executions_ = 0; ///< that the history knows
};

GraphDesc RunnerProgram::graph_of(std::uint32_t width) const {
    Graph g(shaders_);
    g.set_target(device_.caps());
    const Buffer step = test::doubled(g, test::iota(g, "step", kWords, 1));
    const BufferHistory total = g.history_buffer("total", kWords, 1);
    const Buffer next = test::sum(g, step, total.previous[0], total.current);
    const Buffer more = test::sum(g, next, g.constant_buffer("added", kWords, constants_.added),
                                  g.buffer("more", kWords));
    const Buffer words =
        test::sum(g, more, g.upload(g.buffer("uploaded", kWords), bytes_of(four(kUploaded))),
                  g.buffer("words", kWords));
    g.status<NoComplaint>(words);
    g.output("words", words);
    const ImageDesc picture{.format = Format::rgba8_unorm, .extent = {width, 4, 1}};
    const ImageHistory seen = g.history_image("seen", picture, 1);
    g.output("before", g.copy(seen.previous[0], g.image("before", picture)));
    const Image drawn = triangle(g, picture, constants_);
    (void)g.copy(drawn, seen.current);
    g.output("picture", g.copy(drawn, g.image("picture", picture)));
    return std::move(g).finish();
}

// Where no executor could be made, the next one begins anew.
Result<void> RunnerProgram::take(std::uint32_t width) {
    const bool restarts = !runner_.executor();
    auto ok = runner_.take(graph_of(width), shaders_);
    if (ok && restarts) executions_ = 0;
    return ok;
}

Result<void> RunnerProgram::execute() {
    auto ok = runner_.executor()->execute();
    if (ok) ++executions_;
    return ok;
}

Result<void> RunnerProgram::read_words() {
    const auto bytes = runner_.executor()->read_buffer("words");
    if (!bytes) return std::unexpected(bytes.error());
    std::vector<std::uint32_t> words(4);
    std::memcpy(words.data(), bytes->data(), bytes->size());
    for (std::uint32_t i = 0; i < 4; ++i)
        EXPECT_EQ(words[i], executions_ * 2 * (i + 1) + kAdded + kUploaded) << i;
    return {};
}

Result<void> RunnerProgram::read_picture(std::uint32_t width) {
    const auto image = runner_.executor()->read_image("picture");
    if (!image) return std::unexpected(image.error());
    EXPECT_EQ(image->extent, (Extent{width, 4, 1}));
    for (std::uint32_t x = 0; x < width; ++x)
        EXPECT_EQ(image->texel(x, 2)[0], 1.0f) << x;
    return {};
}

std::vector<ProgramStep> RunnerProgram::steps() {
    const auto warnings = [this]() -> Result<void> {
        auto told = runner_.executor()->warnings();
        if (!told) return std::unexpected(told.error());
        EXPECT_TRUE(told->empty()) << to_string(*told);
        return {};
    };
    const auto grow = [this]() -> Result<void> {
        auto grown = runner_.grow_pools();
        if (!grown) return std::unexpected(grown.error());
        return {};
    };
    const auto begin_again = [this]() -> Result<void> {
        runner_.begin_again();
        return {};
    };
    const auto take_again = [this]() -> Result<void> {
        const std::uint32_t compilations = runner_.compilations();
        auto ok = take(kWide);
        EXPECT_EQ(runner_.compilations(), compilations); // the plan stays
        if (ok) executions_ = 0;
        return ok;
    };
    return {{"load", [this] { return take(kNarrow); }},
            {"execute", [this] { return execute(); }},
            {"execute once more", [this] { return execute(); }},
            {"find pools", grow},
            {"execute a third time", [this] { return execute(); }},
            {"read words", [this] { return read_words(); }, true},
            {"read picture", [this] { return read_picture(kNarrow); }},
            {"read warnings", warnings},
            {"resize", [this] { return take(kWide); }},
            {"execute resized", [this] { return execute(); }},
            {"read words resized", [this] { return read_words(); }, true},
            {"read picture resized", [this] { return read_picture(kWide); }},
            {"begin again", begin_again},
            {"take again", take_again},
            {"execute again", [this] { return execute(); }},
            {"read words again", [this] { return read_words(); }, true},
            {"wait", [this] { return runner_.executor()->wait(); }}};
}

} // namespace

std::unique_ptr<FaultProgram> program_of_runner(Device& device, const ShaderLibrary& shaders,
                                                GraphRunnerOptions options) {
    return std::make_unique<RunnerProgram>(device, shaders, std::move(options));
}

} // namespace tuff::testing_gpu
