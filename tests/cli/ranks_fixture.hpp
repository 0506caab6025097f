#pragma once

#include "run_tuff.hpp"
#include "small_config.hpp"

#include <gtest/gtest.h>
#include <json/json.h>
#include <tuff_config.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tuff::test {

using Words = std::vector<std::string>;

/// Open MPI refuses root unless it is told twice.
inline const std::map<std::string, std::string> kAsRoot = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                                           {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};

inline std::vector<std::string> software_devices() {
    std::vector<std::string> devices;
    if (!build_config::kSwiftShaderIcd.empty()) devices.push_back("swiftshader");
    if (!build_config::kLavapipeIcd.empty()) devices.push_back("lavapipe");
    return devices;
}

inline Words joined(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

class RunsOfRanks : public testing::Test {
  protected:
    void SetUp() override {
        if (std::string_view(TUFF_TEST_MPIRUN).empty())
            GTEST_SKIP() << "no mpirun, or a Tuff that was built without MPI";
        folder.write("graph.json", spoiled("picture.png", "picture_%d.png"));
    }

    /// One that hangs is ended, so that its test fails.
    CommandResult mpirun(const Words& words) const {
        return run_program(joined({TUFF_TEST_MPIRUN, "--oversubscribe", "--timeout", "300"}, words),
                           folder.path(), kAsRoot);
    }
    static Words ranks(int count) { return {"-n", std::to_string(count), TUFF_TEST_BINARY, "run"}; }

    /// Everything that a command wrote into a folder, but the manifest.
    std::map<std::string, std::string> written(const std::string& below) const {
        std::map<std::string, std::string> contents;
        for (const std::string& name : folder.files())
            if (name.starts_with(below + "/") && !name.contains("manifest"))
                contents[name.substr(below.size())] = folder.read(name);
        return contents;
    }
    static Json::Value json_of(const std::string& text) {
        Json::Value value;
        std::string problem;
        const std::unique_ptr<Json::CharReader> reader(Json::CharReaderBuilder().newCharReader());
        EXPECT_TRUE(reader->parse(text.data(), text.data() + text.size(), &value, &problem));
        return value;
    }
    Json::Value manifest(const std::string& below) const {
        return json_of(folder.read(below + "/manifest.json"));
    }
    /// The hashes of a manifest's runs.
    std::map<std::string, std::string> hashes(const std::string& below) const {
        std::map<std::string, std::string> all;
        for (const Json::Value& run : manifest(below)["runs"])
            for (const Json::Value& output : run["outputs"])
                all[output["file"].asString()] = output["sha256"].asString();
        return all;
    }

    WorkFolder folder;
};

} // namespace tuff::test
