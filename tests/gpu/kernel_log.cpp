#include "kernel_log.hpp"

#include "gpu/device/device_impl.hpp"
#include "gpu/shader/spirv_words.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace tuff::testing_gpu {
namespace {

// Vulkan's functions take no context, so what they write down and call can live nowhere else.
struct Log {
    std::mutex mutex;
    PFN_vkSetDebugUtilsObjectNameEXT set_object_name = nullptr;
    PFN_vkCmdBindPipeline bind_pipeline = nullptr;
    std::map<std::uint64_t, std::string> pipelines;                  ///< kernels, by handle
    std::map<std::string, std::set<std::string>, std::less<>> tests; ///< by kernel
};
Log log;

VKAPI_ATTR VkResult VKAPI_CALL name_object(VkDevice device,
                                           const VkDebugUtilsObjectNameInfoEXT* info) {
    if (info->objectType == VK_OBJECT_TYPE_PIPELINE) {
        const std::lock_guard lock(log.mutex);
        log.pipelines[info->objectHandle] = info->pObjectName;
    }
    return log.set_object_name(device, info);
}

std::string current_test() {
    const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
    if (!info) return "outside of tests";
    return std::string(info->test_suite_name()) + '.' + info->name();
}

VKAPI_ATTR void VKAPI_CALL bind(VkCommandBuffer commands, VkPipelineBindPoint point,
                                VkPipeline pipeline) {
    {
        const std::lock_guard lock(log.mutex);
        const auto found = log.pipelines.find(reinterpret_cast<std::uint64_t>(pipeline));
        if (found != log.pipelines.end()) log.tests[found->second].insert(current_test());
    }
    log.bind_pipeline(commands, point, pipeline);
}

/// The capability of SPIR-V that a kernel declares, and what it takes of a device.
struct Ability {
    std::uint32_t capability;
    bool DeviceCaps::*present;
    std::string_view name;
};
constexpr Ability kAbilities[] = {
    {9, &DeviceCaps::fp16, "fp16"},
    {10, &DeviceCaps::fp64, "fp64"},
    {11, &DeviceCaps::int64, "int64"},
    {12, &DeviceCaps::int64_buffer_atomics, "int64_buffer_atomics"},
    {4472, &DeviceCaps::ray_query, "ray_query"},
    {4479, &DeviceCaps::ray_tracing_pipelines, "ray_tracing_pipelines"},
    {5307, &DeviceCaps::texture_arrays, "texture_arrays"},
    {5357, &DeviceCaps::cooperative_matrix, "cooperative_matrix"},
    {6033, &DeviceCaps::float_atomic_add, "float_atomic_add"},
};

/// The ability that the device lacks for a kernel; empty where it can run it.
std::string_view lacking(const DeviceCaps& caps, const ShaderLibrary& shaders,
                         std::string_view kernel) {
    // What takes more than its SPIR-V says.
    if (kernel.ends_with("_look_back") && !caps.forward_progress) return "forward_progress";
    for (const std::string_view waits : {"bodies/solve_flow", "fluid/sparse_sweeps"})
        if (kernel.starts_with(waits) && !caps.unbounded_loops) return "unbounded_loops";
    if (kernel.starts_with("voxel/slicemap") && !caps.logic_op) return "logic_op";
    if (kernel == "primitives/matmul_registers[LARGE=1]" && caps.max_shared_bytes < 48 * 1024)
        return "max_shared_bytes";
    if (kernel == "filter/tiled[WEIGHTS=large]" && caps.max_uniform_buffer_bytes < 64 * 1024)
        return "max_uniform_buffer_bytes";
    constexpr std::uint32_t kOpCapability = 17;
    std::string_view lacks;
    for (const ShaderStage stage :
         {ShaderStage::compute, ShaderStage::vertex, ShaderStage::fragment,
          ShaderStage::ray_generation, ShaderStage::miss, ShaderStage::closest_hit,
          ShaderStage::any_hit}) {
        const CompiledShader* compiled = shaders.find(kernel, stage);
        if (!compiled) continue;
        for_each_instruction(std::span(compiled->words), [&](std::uint32_t opcode, auto words) {
            if (opcode != kOpCapability) return;
            for (const Ability& ability : kAbilities)
                if (words[1] == ability.capability && !(caps.*ability.present))
                    lacks = ability.name;
        });
    }
    return lacks;
}

} // namespace

void log_kernels(Device& device) {
    DeviceImpl& impl = device.impl();
    log.pipelines.clear();
    log.set_object_name = impl.instance->debug_utils().set_object_name;
    log.bind_pipeline = impl.vk.vkCmdBindPipeline;
    if (!log.set_object_name) return; // without the layer
    impl.instance->debug_utils().set_object_name = name_object;
    impl.vk.vkCmdBindPipeline = bind;
}

namespace {

/// Names a rank that mpirun has started, "2of4"; else "0".
std::string rank_name() {
    const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
    const char* const size = std::getenv("OMPI_COMM_WORLD_SIZE");
    return rank && size ? fmt::format("{}of{}", rank, size) : "0";
}

} // namespace

void write_kernel_log(const std::filesystem::path& folder, const Device& device,
                      const ShaderLibrary& shaders) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const char* shard = std::getenv("GTEST_SHARD_INDEX");
    const auto file = folder / fmt::format("{}-{}.tsv", program_invocation_short_name,
                                           shard ? shard : rank_name());
    std::ofstream out(file);
    const std::lock_guard lock(log.mutex);
    for (const std::string& kernel : shaders.names()) {
        // A vertex stage runs with the fragment stages that name it.
        if (shaders.find(kernel, ShaderStage::vertex) &&
            !shaders.find(kernel, ShaderStage::fragment))
            continue;
        out << kernel << '\t';
        if (const auto found = log.tests.find(kernel); found != log.tests.end()) {
            out << "ran";
            for (const std::string& test : found->second)
                out << '\t' << test;
        } else {
            const std::string_view lacks = lacking(device.caps(), shaders, kernel);
            out << (lacks.empty() ? "not run" : lacks);
        }
        out << '\n';
    }
    if (!out.flush()) ADD_FAILURE() << "cannot write " << file;
}

} // namespace tuff::testing_gpu
