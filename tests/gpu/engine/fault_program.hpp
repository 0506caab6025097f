#pragma once

#include "tests/common/word_kernels.hpp"
#include "tests/gpu/engine/host_fixture.hpp"

#include <tuff/graph_runner.hpp>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tuff::testing_gpu {

/// Something that a program does with the engine, which may fail and be tried again.
struct ProgramStep {
    std::string name;
    std::function<Result<void>()> run;
    bool checks = false; ///< compares results with what they should be
};

/// A program that uses a device.
class FaultProgram {
  public:
    FaultProgram() = default;
    FaultProgram(const FaultProgram&) = delete;
    FaultProgram& operator=(const FaultProgram&) = delete;
    virtual ~FaultProgram() = default;

    /// What it does, in order. Each is over before the next begins, and may be run again where it
    /// has failed.
    virtual std::vector<ProgramStep> steps() = 0;
};

/// Loads a graph, runs it, reads what came out, and runs it in another size. The graph has constant
/// work, histories, an upload, constants, a draw and copies.
std::unique_ptr<FaultProgram> program_of_runner(Device& device, const ShaderLibrary& shaders,
                                                GraphRunnerOptions options);

/// Runs a graph most of whose bindings are not connected, on a device without null descriptors.
std::unique_ptr<FaultProgram> program_of_stand_ins(Device& device, const ShaderLibrary& shaders);

/// Records a graph with constant work into command buffers of `host`'s, and an import that is
/// exchanged.
std::unique_ptr<FaultProgram> program_of_host(Device& device, const ShaderLibrary& shaders,
                                              DeviceImpl& host);

/// A shipped graph in a small size, and the pictures that it should make in two of them: empty
/// until a program has made them.
struct ShippedFaults {
    std::string name;
    std::map<std::string, std::string> settings;
    std::string other_height;
    std::shared_ptr<std::array<HostImage, 2>> pictures =
        std::make_shared<std::array<HostImage, 2>>();
};

/// Runs it, and again in another size. `graph` outlives the program.
std::unique_ptr<FaultProgram> program_of_config(Device& device, const ShaderLibrary& shaders,
                                                const ShippedFaults& graph);

/// Runs a graph with a history on two queues, which the device is made to have.
std::unique_ptr<FaultProgram> program_of_queues(Device& device, const ShaderLibrary& shaders);

} // namespace tuff::testing_gpu
