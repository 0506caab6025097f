// Labels of commands: what a frame debugger shows of a graph.

#include "host_fixture.hpp"

#include <cstdlib>

namespace tuff::testing_gpu {
namespace {

std::string& labels() {
    static std::string text;
    return text;
}

VKAPI_ATTR void VKAPI_CALL begin_label(VkCommandBuffer, const VkDebugUtilsLabelEXT* label) {
    labels() += std::string(label->pLabelName) + "{";
}
VKAPI_ATTR void VKAPI_CALL end_label(VkCommandBuffer) {
    labels() += "}";
}

class LabelsTest : public HostTest {
  protected:
    /// The labels of an execution of fills, whose names say their scopes.
    std::string labels_of(const std::vector<std::string>& names) {
        Device device = adopted(description());
        device.impl().instance->debug_utils().begin_label = begin_label;
        device.impl().instance->debug_utils().end_label = end_label;
        Graph graph;
        std::uint32_t value = 0;
        for (const std::string& name : names) {
            const std::size_t scopes = name.rfind('/');
            if (scopes != name.npos) graph.push_scope(name.substr(0, scopes));
            const std::string own = name.substr(scopes + 1); // npos + 1 is 0
            const Buffer words = graph.fill(graph.buffer("words", kWords), ++value, own);
            if (scopes != name.npos) graph.pop_scope();
            graph.output(std::to_string(value), words);
        }
        Executor executor = executor_on(device, std::move(graph));
        labels().clear();
        EXPECT_TRUE(executor.execute());
        EXPECT_TRUE(executor.wait());
        return labels();
    }
};

TEST_F(LabelsTest, NestAsScopesDo) {
    EXPECT_EQ(labels_of({"a/first", "a/b/second", "a/b/third", "a/fourth", "fifth"}),
              "a{first{}b{second{}third{}}fourth{}}fifth{}");
}

TEST_F(LabelsTest, ScopesWithOneBeginningAreTwoScopes) {
    EXPECT_EQ(labels_of({"ab/x", "abc/x", "a/x"}), "ab{x{}}abc{x{}}a{x{}}");
    EXPECT_EQ(labels_of({"a/b/c/x", "a/bb/c/x"}), "a{b{c{x{}}}bb{c{x{}}}}");
}

TEST_F(LabelsTest, AreOnWhereALayerListens) {
    const auto has_labels = [&] {
        auto opened = Device::open({.select = default_device_selection()});
        EXPECT_TRUE(opened) << to_string(opened.error());
        return opened && opened->impl().has_labels();
    };
    EXPECT_FALSE(has_labels());
    ::setenv("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation", 1); // as a capture tool does it
    EXPECT_TRUE(has_labels());
    ::unsetenv("VK_INSTANCE_LAYERS");
}

} // namespace
} // namespace tuff::testing_gpu
