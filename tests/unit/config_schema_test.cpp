#include "config_toys.hpp"

#include <gtest/gtest.h>
#include <json/reader.h>

#include <memory>
#include <set>

namespace tuff {
namespace {

class ConfigSchema : public testing::Test {
  protected:
    ConfigSchema() {
        text_ = json_schema(registry_);
        const std::unique_ptr<Json::CharReader> reader(Json::CharReaderBuilder().newCharReader());
        std::string errors;
        parsed_ = reader->parse(text_.data(), text_.data() + text_.size(), &schema_, &errors);
    }

    /// The schema of nodes that run `pass`.
    const Json::Value& node(const std::string& pass) const {
        for (const Json::Value& entry : schema_["$defs"]["node"]["allOf"])
            if (entry["if"]["properties"]["pass"]["const"] == pass) return entry["then"];
        return Json::Value::nullSingleton();
    }

    static void collect_references(const Json::Value& value, std::set<std::string>& found) {
        if (value.isObject() && value["$ref"].isString()) found.insert(value["$ref"].asString());
        if (value.isObject() || value.isArray())
            for (const Json::Value& member : value)
                collect_references(member, found);
    }

    PassRegistry registry_ = toys::make_registry();
    std::string text_;
    Json::Value schema_;
    bool parsed_ = false;
};

TEST_F(ConfigSchema, IsJsonOfTheStatedDraft) {
    ASSERT_TRUE(parsed_);
    EXPECT_EQ(schema_["$schema"].asString(), "https://json-schema.org/draft/2020-12/schema");
    EXPECT_EQ(text_, json_schema(registry_));
}

TEST_F(ConfigSchema, HasEverySectionOfAConfig) {
    for (const char* section : {"tuff", "description", "size", "params", "assets", "history",
                                "inputs", "nodes", "outputs"})
        EXPECT_TRUE(schema_["properties"].isMember(section)) << section;
    EXPECT_EQ(schema_["additionalProperties"], false);
}

TEST_F(ConfigSchema, EveryReferenceLeadsToADefinition) {
    std::set<std::string> references;
    collect_references(schema_, references);
    EXPECT_FALSE(references.empty());
    for (const std::string& reference : references) {
        ASSERT_TRUE(reference.starts_with("#/$defs/")) << reference;
        EXPECT_TRUE(schema_["$defs"].isMember(reference.substr(8))) << reference;
    }
}

TEST_F(ConfigSchema, HasEveryPassWithItsPortsAndParameters) {
    for (const PassDescriptor& pass : registry_.all()) {
        const Json::Value& schema = node(pass.name);
        ASSERT_TRUE(schema.isObject()) << pass.name;
        for (const PortInfo& port : pass.inputs)
            EXPECT_TRUE(schema["properties"]["in"]["properties"].isMember(port.name));
        for (const ParameterInfo& parameter : pass.parameters)
            EXPECT_TRUE(schema["properties"]["params"]["properties"].isMember(parameter.name))
                << parameter.name;
    }
}

TEST_F(ConfigSchema, ParametersHaveTypeRangeDocAndDefault) {
    const Json::Value& parameters = node("toy/blur")["properties"]["params"]["properties"];
    const Json::Value& sigma = parameters["sigma"];
    EXPECT_EQ(sigma["anyOf"][0]["type"].asString(), "number");
    EXPECT_EQ(sigma["anyOf"][0]["maximum"].asDouble(), 64.0);
    EXPECT_EQ(sigma["anyOf"][1]["$ref"].asString(), "#/$defs/computed");
    EXPECT_EQ(schema_["$defs"]["computed"]["anyOf"][0]["$ref"].asString(), "#/$defs/reference");
    EXPECT_EQ(schema_["$defs"]["computed"]["anyOf"][1]["$ref"].asString(), "#/$defs/formula");
    EXPECT_EQ(sigma["default"].asDouble(), 2.0);
    EXPECT_NE(sigma["description"].asString().find("texels"), std::string::npos);
    EXPECT_EQ(parameters["radius"]["anyOf"][0]["type"].asString(), "integer");
    EXPECT_EQ(parameters["mode"]["anyOf"][0]["enum"][1].asString(), "hard");
    EXPECT_EQ(parameters["camera"]["anyOf"][0]["$ref"].asString(), "#/$defs/group");
    const Json::Value& position = parameters["camera"]["anyOf"][1]["properties"]["position"];
    EXPECT_EQ(position["anyOf"][0]["minItems"].asInt(), 3);
}

TEST_F(ConfigSchema, EveryNodeMayNameItsQueue) {
    EXPECT_EQ(node("toy/blur")["properties"]["queue"]["enum"][1].asString(), "compute");
}

TEST_F(ConfigSchema, RequiredInputsAreRequiredAndListsAreOptional) {
    EXPECT_EQ(node("toy/blur")["properties"]["in"]["required"][0].asString(), "source");
    EXPECT_FALSE(node("toy/mix")["properties"]["in"].isMember("required"));
}

} // namespace
} // namespace tuff
