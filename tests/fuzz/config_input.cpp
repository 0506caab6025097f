#include "tests/fuzz/inputs.hpp"
#include "tests/unit/config_toys.hpp"

#include <tuff/plan.hpp>

namespace tuff::fuzz {

std::string objection_to_config(std::string_view text) {
    static const PassRegistry kRegistry = toys::make_registry();
    const auto objection_to = [](const Diagnostics& refusal) {
        return has_errors(refusal) ? std::string() : "refused without an error";
    };
    const Result<Config> config = Config::parse(text, "fuzz.json", kRegistry);
    if (!config) return objection_to(config.error());
    AssetCache assets;
    const toys::NoShaders shaders;
    Result<ConfiguredGraph> built = config->build(shaders, assets);
    if (!built) return objection_to(built.error());
    const Result<Plan> plan = compile(std::move(built->graph), DeviceCaps{});
    return plan ? std::string() : objection_to(plan.error());
}

} // namespace tuff::fuzz
