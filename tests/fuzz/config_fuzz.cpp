// Any text as a config: read, checked, built and compiled, or refused with diagnostics.

#include "tests/unit/config_toys.hpp"

#include <tuff/plan.hpp>

#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tuff;
    static const PassRegistry kRegistry = toys::make_registry();
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Result<Config> config = Config::parse(text, "fuzz.json", kRegistry);
    if (!config) {
        if (has_errors(config.error())) return 0;
        std::fprintf(stderr, "refused without an error\n");
        std::abort();
    }
    AssetCache assets;
    const toys::NoShaders shaders;
    Result<ConfiguredGraph> built = config->build(shaders, assets);
    if (built) (void)compile(std::move(built->graph), DeviceCaps{});
    return 0;
}
