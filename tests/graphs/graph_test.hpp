#pragma once

#include "../gpu/gpu_fixture.hpp"

#include <tuff/assets.hpp>
#include <tuff/config.hpp>
#include <tuff/image.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace tuff::testing_gpu {

/// A whole shipped config on the device.
class GraphTest : public GpuTest {
  public:
    /// Runs apps/graphs/`graph`.json `executions` times with `settings` (as `--set` takes them) and
    /// reads its first output. Fails the test and returns an empty image where something is wrong.
    /// Options that lead to a plan that the test has run do not run it again: on devices of one
    /// queue some do.
    HostImage render(std::string_view graph,
                     const std::map<std::string, std::string>& settings = {},
                     CompileOptions options = {}, unsigned executions = 1);

    /// A shipped config, compiled for the device.
    struct Planned {
        std::shared_ptr<const Plan> plan; ///< null: the test has failed
        std::string first_output;
    };
    Planned planned(std::string_view graph, const std::map<std::string, std::string>& settings,
                    CompileOptions options = {});

    /// Compares with tests/graphs/golden/`name`.png: see `expect_like_golden` in the source for
    /// what counts as equal. Where they differ, writes the picture and the difference into the
    /// build's test-output/ and says where. TUFF_UPDATE_GOLDEN=1 in the environment stores the
    /// picture instead.
    void expect_like_golden(const HostImage& picture, const std::string& name);

    /// Fails where a picture is one that no golden should be: empty, flat, black, or not finite.
    static void expect_a_picture(const HostImage& picture);

  private:
    AssetCache assets_;
    std::map<std::string, HostImage> pictures_; ///< by what was run
};

} // namespace tuff::testing_gpu
