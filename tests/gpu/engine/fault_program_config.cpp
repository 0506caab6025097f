// Shipped graphs as programs.

#include "fault_program.hpp"
#include "passes/registry.hpp"

#include <tuff/assets.hpp>
#include <tuff/config.hpp>

#include <fmt/format.h>

namespace tuff::testing_gpu {
namespace {

class ConfigProgram final : public FaultProgram {
  public:
    ConfigProgram(Device& device, const ShaderLibrary& shaders, const ShippedFaults& graph)
        : device_(device), shaders_(shaders), graph_(graph), runner_(device) {
        static const PassRegistry kRegistry = passes::make_registry();
        auto config = Config::load(
            fmt::format("{}/apps/graphs/{}.json", TUFF_TEST_SOURCE_DIR, graph.name), kRegistry);
        EXPECT_TRUE(config) << to_string(config.error());
        config_.emplace(std::move(*config));
        for (const auto& [name, value] : graph.settings)
            EXPECT_TRUE(config_->set(name, value));
    }

    std::vector<ProgramStep> steps() override {
        const auto resize = [this]() -> Result<void> {
            runner_.begin_again();
            EXPECT_TRUE(config_->set("height", graph_.other_height));
            return take();
        };
        const auto execute = [this] { return runner_.executor()->execute(); };
        return {{"load", [this] { return take(); }},
                {"execute", execute},
                {"execute once more", execute},
                {"read", [this] { return read(0); }, true},
                {"resize", resize},
                {"execute resized", execute},
                {"read resized", [this] { return read(1); }, true}};
    }

  private:
    Result<void> take() {
        auto built = config_->build(shaders_, assets_, {}, device_.caps());
        EXPECT_TRUE(built) << to_string(built.error());
        output_ = built->outputs.front().name;
        return runner_.take(std::move(built->graph), shaders_);
    }
    /// The picture is that of the first program that has come so far.
    Result<void> read(std::size_t which) {
        auto image = runner_.executor()->read_image(output_);
        if (!image) return std::unexpected(image.error());
        HostImage& known = graph_.pictures->at(which);
        if (known.empty())
            known = std::move(*image);
        else
            EXPECT_EQ(image->texels, known.texels);
        return {};
    }

    Device& device_;
    const ShaderLibrary& shaders_;
    const ShippedFaults& graph_;
    AssetCache assets_;
    std::optional<Config> config_;
    std::string output_;
    GraphRunner runner_;
};

} // namespace

std::unique_ptr<FaultProgram> program_of_config(Device& device, const ShaderLibrary& shaders,
                                                const ShippedFaults& graph) {
    return std::make_unique<ConfigProgram>(device, shaders, graph);
}

} // namespace tuff::testing_gpu
