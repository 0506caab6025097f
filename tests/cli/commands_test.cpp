// What the commands print and write when all is well.

#include "run_tuff.hpp"
#include "small_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <json/json.h>

#include <memory>

namespace tuff::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Commands : public testing::Test {
  protected:
    Commands() { folder.write("graph.json", kGoodConfig); }

    /// Runs `tuff` and expects success.
    std::string output_of(const std::vector<std::string>& arguments,
                          const std::map<std::string, std::string>& environment = {}) {
        const CommandResult result = run_tuff(arguments, folder.path(), environment);
        EXPECT_EQ(result.exit_code, 0) << result.errors;
        errors = result.errors;
        return result.output;
    }

    static Json::Value parsed(const std::string& text) {
        Json::Value value;
        std::string problem;
        const std::unique_ptr<Json::CharReader> reader(Json::CharReaderBuilder().newCharReader());
        EXPECT_TRUE(reader->parse(text.data(), text.data() + text.size(), &value, &problem))
            << problem;
        return value;
    }

    WorkFolder folder;
    std::string errors;
};

TEST_F(Commands, version_is_printed) {
    EXPECT_THAT(output_of({"--version"}), StartsWith("tuff "));
}

TEST_F(Commands, help_shows_commands_and_examples) {
    EXPECT_THAT(output_of({"--help"}), AllOf(HasSubstr("inspect"), HasSubstr("Examples:")));
    EXPECT_THAT(output_of({"run", "--help"}), AllOf(HasSubstr("--frames"), HasSubstr("--poison")));
}

TEST_F(Commands, check_needs_no_device) {
    EXPECT_THAT(output_of({"check", "graph.json"}, kNoDevice), HasSubstr("graph.json: ok"));
    EXPECT_THAT(errors, IsEmpty());
}

TEST_F(Commands, explain_needs_no_device_and_gives_order_barriers_memory) {
    const std::string text = output_of({"explain", "graph.json"}, kNoDevice);
    EXPECT_THAT(text, AllOf(HasSubstr("level 0"), HasSubstr("tone"), HasSubstr("read after write"),
                            HasSubstr("without aliasing"), HasSubstr("picture")));
}

TEST_F(Commands, explain_obeys_the_safe_modes) {
    EXPECT_THAT(output_of({"explain", "graph.json", "--barriers=full", "--alias=off"}),
                AllOf(HasSubstr("barriers=full"), HasSubstr("alias=off")));
    EXPECT_THAT(output_of({"explain", "graph.json", "--queues=one", "--poison"}),
                AllOf(HasSubstr("queues=one"), HasSubstr("poison")));
}

TEST_F(Commands, passes_lists_each_pass_and_tells_all_about_one) {
    EXPECT_THAT(output_of({"passes"}), AllOf(HasSubstr("image/tonemap"), HasSubstr("image/blend")));
    EXPECT_THAT(output_of({"passes", "image"}),
                AllOf(HasSubstr("image/tonemap"), Not(HasSubstr("primitives/"))));
    EXPECT_THAT(output_of({"passes", "--search", "Gaussian"}),
                AllOf(HasSubstr("image/gaussian"), Not(HasSubstr("primitives/scan"))));
    const CommandResult short_name = run_tuff({"passes", "gaussian"}, folder.path());
    EXPECT_EQ(short_name.exit_code, 2);
    EXPECT_THAT(short_name.errors, HasSubstr("did you mean 'image/gaussian'?"));
    EXPECT_EQ(run_tuff({"passes", "--search", "qqq"}, folder.path()).exit_code, 2);
    EXPECT_THAT(output_of({"passes", "image/gaussian"}),
                AllOf(HasSubstr("sigma"), HasSubstr("source"), HasSubstr("result"),
                      HasSubstr("\"pass\": \"image/gaussian\"")));
}

TEST_F(Commands, the_page_of_a_pass_has_ports_before_prose_and_the_camera_by_name) {
    const std::string page = output_of({"passes", "hair/draw"});
    EXPECT_LT(page.find("\nout\n"), page.find("A strand covers"));
    EXPECT_LT(page.find("A strand covers"), page.find("\nparams\n"));
    EXPECT_THAT(page, AllOf(HasSubstr("'tuff passes scene/mesh_raster' lists its parameters"),
                            Not(HasSubstr("camera.azimuth"))));
    EXPECT_THAT(output_of({"passes", "scene/mesh_raster"}), HasSubstr("camera.azimuth"));
}

TEST_F(Commands, the_example_of_each_pass_is_a_sound_node) {
    const std::string list = output_of({"passes"});
    std::size_t passes = 0;
    for (std::size_t at = 0; at < list.size(); at = list.find('\n', at) + 1) {
        const std::string name = list.substr(at, list.find(' ', at) - at);
        const std::string page = output_of({"passes", name});
        const std::size_t example = page.find("in a config\n") + 12;
        const Json::Value node = parsed("{" + page.substr(example) + "}");
        EXPECT_EQ((*node.begin())["pass"].asString(), name);
        EXPECT_LE((*node.begin())["params"].size(), 2u) << name;
        ++passes;
    }
    EXPECT_GE(passes, 8u);
}

TEST_F(Commands, passes_writes_the_reference_into_a_new_folder) {
    EXPECT_THAT(output_of({"passes", "--markdown", "ref/passes"}),
                HasSubstr("ref/passes/image.md"));
    EXPECT_THAT(folder.read("ref/passes/README.md"), HasSubstr("(image.md#imagetonemap)"));
    EXPECT_THAT(folder.read("ref/passes/image.md"), HasSubstr("## image/tonemap\n"));
    EXPECT_THAT(folder.read("ref/passes/hair.md"),
                AllOf(HasSubstr("the camera: [scene/mesh_raster](scene.md#scenemesh_raster)"),
                      Not(HasSubstr("camera.azimuth"))));
    EXPECT_THAT(folder.read("ref/passes/scene.md"), HasSubstr("`camera.azimuth`"));
}

TEST_F(Commands, manual_tells_every_command_and_its_options) {
    EXPECT_THAT(output_of({"manual"}),
                AllOf(HasSubstr("## tuff inspect"), HasSubstr("tuff inspect CONFIG [NODE.PORT]"),
                      HasSubstr("`--frames N`"), HasSubstr("Safe modes")));
}

TEST_F(Commands, schema_is_json_and_knows_the_passes) {
    const std::string text = output_of({"schema"});
    EXPECT_TRUE(parsed(text).isMember("$schema"));
    EXPECT_THAT(text, HasSubstr("image/tonemap"));
}

TEST_F(Commands, schema_of_a_config_with_errors_is_the_general_one) {
    folder.write("bad.json", spoiled("\"blur.result\"},", "\"blurr.result\"},"));
    EXPECT_EQ(output_of({"schema", "bad.json"}), output_of({"schema"}));
    (void)output_of({"schema", "bad.json"});
    EXPECT_THAT(errors, AllOf(HasSubstr("config/unknown-wire"), HasSubstr("cli/general-schema")));
    EXPECT_EQ(run_tuff({"schema", "missing.json"}, folder.path()).exit_code, 2);
}

TEST_F(Commands, completion_knows_commands_options_choices_and_passes) {
    for (const char* shell : {"bash", "zsh", "fish"})
        EXPECT_THAT(output_of({"completion", shell}),
                    AllOf(HasSubstr("inspect"), HasSubstr("frames"), HasSubstr("declared"),
                          HasSubstr("image/tonemap"), HasSubstr("swiftshader")))
            << shell;
}

TEST_F(Commands, completion_knows_the_parameters_and_wires_of_the_config_on_the_line) {
    EXPECT_THAT(output_of({"completion", "settings", "graph.json"}),
                AllOf(HasSubstr("exposure=\n"), HasSubstr("\nblur.sigma=\n")));
    EXPECT_EQ(output_of({"completion", "wires", "graph.json"}), "blur.result\ntone.result\n");
    const auto completed = [&](const std::string& words, const std::string& current) {
        const std::string line =
            "tuff() { \"$TUFF\" \"$@\"; }; compopt() { :; }; TUFF=$0; eval \"$(tuff completion "
            "bash)\"; COMP_WORDS=(" +
            words + " '" + current +
            "'); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tuff; echo \"${COMPREPLY[*]}\"";
        const CommandResult result =
            run_program({"bash", "-c", line, TUFF_TEST_BINARY}, folder.path());
        EXPECT_EQ(result.exit_code, 0) << result.errors;
        return result.output;
    };
    EXPECT_EQ(completed("tuff run graph.json --set", "blur.sig"), "blur.sigma=\n");
    EXPECT_EQ(completed("tuff run graph.json --set", "expo"), "exposure=\n");
    EXPECT_EQ(completed("tuff inspect graph.json", "tone."), "tone.result\n");
    EXPECT_EQ(completed("tuff run --set", "blur.sig"), "\n") << "there is no config yet";
}

TEST_F(Commands, devices_lists_one_that_meets_the_core_tier) {
    EXPECT_THAT(output_of({"devices"}), HasSubstr("tier core"));
}

TEST_F(Commands, run_writes_the_files_that_the_config_names) {
    EXPECT_THAT(output_of({"run", "graph.json", "--out-dir", "made"}),
                HasSubstr("wrote made/picture.png"));
    EXPECT_THAT(folder.files(), ElementsAre("graph.json", "made/picture.png"));
    EXPECT_THAT(folder.read("made/picture.png"), StartsWith("\x89PNG"));
}

TEST_F(Commands, run_writes_an_output_without_a_file_only_when_it_is_named) {
    (void)output_of({"run", "graph.json", "--out", "first.png", "--out", "soft=soft.npy"});
    EXPECT_THAT(folder.files(), ElementsAre("first.png", "graph.json", "soft.npy"));
}

TEST_F(Commands, run_writes_numbers_as_comma_separated_values) {
    folder.write("numbers.json", R"json({
      "tuff": 1,
      "nodes": {
        "falling": {"pass": "primitives/map",
                    "params": {"length": 3, "result_type": "f32", "expression": "1.5 - float(i)"}},
        "short": {"pass": "primitives/map",
                  "params": {"length": 2, "result_type": "f32", "expression": "7"}},
        "plot": {"pass": "image/plot", "in": {"curves": ["falling.result", "short.result"]},
                 "params": {"width": 8, "height": 8}}
      },
      "outputs": {
        "alone": {"from": "falling.result", "file": "alone.csv"},
        "table": {"from": "plot.table", "file": "table.csv"}
      }
    })json");
    (void)output_of({"run", "numbers.json"});
    EXPECT_EQ(folder.read("alone.csv"), "1.5\n0.5\n-0.5\n");
    EXPECT_EQ(folder.read("table.csv"), "1.5,7\n0.5,7\n-0.5,nan\n");
}

TEST_F(Commands, run_and_inspect_know_what_a_buffer_consists_of) {
    folder.write("typed.json", R"json({
      "tuff": 1,
      "nodes": {
        "keys": {"pass": "primitives/map",
                 "params": {"length": 3, "result_type": "i32", "expression": "1 - int(i)"}},
        "sort": {"pass": "primitives/bitonic_sort", "in": {"keys": "keys.result"},
                 "params": {"type": "i32"}},
        "least": {"pass": "primitives/reduce", "in": {"source": "keys.result"},
                  "params": {"type": "i32", "operation": "argmin"}},
        "grow": {"glsl": ["layout(local_size_x = 1) in;",
                          "buffer State { uint value; } state;",
                          "writeonly buffer Done { uint flag; } done;",
                          "void main() { state.value += 2u; done.flag = uint(state.value > 5u); }"],
                 "in": {"state": "start.result"}, "until": "done", "max": 50,
                 "carry": {"state": "state"}},
        "start": {"pass": "primitives/map", "params": {"length": 1, "result_type": "u32"}}
      },
      "outputs": {
        "sorted": {"from": "sort.sorted_keys", "file": "sorted.csv"},
        "places": {"from": "sort.permutation", "file": "places.csv"},
        "found": {"from": "least.result", "file": "found.csv"},
        "record": {"from": "least.result", "file": "found.npy"},
        "count": {"from": "grow.iterations", "file": "count.csv"}
      }
    })json");
    (void)output_of({"run", "typed.json"});
    EXPECT_EQ(folder.read("sorted.csv"), "-1\n0\n1\n");
    EXPECT_EQ(folder.read("places.csv"), "2\n1\n0\n");
    EXPECT_EQ(folder.read("found.csv"), "index,element\n2,-1\n");
    EXPECT_EQ(folder.read("count.csv"), "3\n");
    const std::string record = folder.read("found.npy");
    EXPECT_THAT(record, HasSubstr("'descr': [('index', '<u4'), ('element', '<i4')]"));
    EXPECT_THAT(record, HasSubstr("'shape': (1,)"));
    EXPECT_THAT(output_of({"inspect", "typed.json", "sort.permutation"}),
                AllOf(HasSubstr("buffer of u32"), HasSubstr("12 bytes")));
    EXPECT_THAT(output_of({"inspect", "typed.json", "least.result"}),
                AllOf(HasSubstr("index"), HasSubstr("element")));
    EXPECT_THAT(output_of({"inspect", "typed.json", "sort.permutation", "--as", "u8"}),
                HasSubstr("buffer of u8"));
}

TEST_F(Commands, run_refuses_wires_between_arrays_of_different_types) {
    folder.write("wrong.json", R"json({
      "tuff": 1,
      "nodes": {
        "keys": {"pass": "primitives/map",
                 "params": {"length": 3, "result_type": "f32", "expression": "1.5"}},
        "sum": {"pass": "primitives/scan", "in": {"source": "keys.result"}}
      },
      "outputs": {"o": {"from": "sum.result", "file": "o.csv"}}
    })json");
    for (const char* command : {"run", "check"}) {
        const CommandResult run = run_tuff({command, "wrong.json"}, folder.path());
        EXPECT_EQ(run.exit_code, 2) << command;
        EXPECT_THAT(run.errors, AllOf(HasSubstr("pass/wrong-elements"), HasSubstr("wrong.json:6:"),
                                      HasSubstr("hint: set \"type\"")))
            << command;
    }
    EXPECT_THAT(folder.files(), Not(Contains("o.csv")));
}

TEST_F(Commands, run_writes_every_frame_to_a_numbered_file) {
    (void)output_of({"run", "graph.json", "--frames", "3", "--out", "f%03d.png"});
    EXPECT_THAT(folder.files(), ElementsAre("f000.png", "f001.png", "f002.png", "graph.json"));
    EXPECT_THAT(errors, HasSubstr("3/3 frames"));
    EXPECT_THAT(errors, Not(HasSubstr("\r")));
}

TEST_F(Commands, run_gives_the_same_picture_in_every_safe_mode) {
    (void)output_of({"run", "graph.json", "--out", "plain.png"});
    (void)output_of({"run", "graph.json", "--out", "safe.png", "--alias=off", "--order=declared",
                     "--barriers=full", "--queues=one", "--poison"});
    EXPECT_EQ(folder.read("plain.png"), folder.read("safe.png"));
}

TEST_F(Commands, run_says_which_software_device_it_uses) {
    EXPECT_THAT(output_of({"run", "graph.json", "--device", "lavapipe"}),
                AllOf(StartsWith("on llvmpipe"), HasSubstr("a software device\nwrote ")));
}

TEST_F(Commands, run_obeys_set) {
    (void)output_of({"run", "graph.json", "--out", "dark.png", "--set", "exposure=-3"});
    (void)output_of({"run", "graph.json", "--out", "plain.png"});
    EXPECT_NE(folder.read("dark.png"), folder.read("plain.png"));
}

TEST_F(Commands, run_under_validation_finds_nothing) {
    (void)output_of({"run", "graph.json", "--validation", "--timings"});
    EXPECT_THAT(errors, IsEmpty());
}

TEST_F(Commands, inspect_tells_size_format_and_values) {
    EXPECT_THAT(output_of({"inspect", "graph.json", "blur.result"}),
                AllOf(HasSubstr("32x16"), HasSubstr("mean"), HasSubstr("NaN")));
    EXPECT_THAT(folder.files(), ElementsAre("graph.json"));
}

TEST_F(Commands, inspect_writes_any_intermediate) {
    (void)output_of({"inspect", "graph.json", "blur.result", "--out", "blur.exr"});
    EXPECT_THAT(folder.files(), Contains("blur.exr"));
}

} // namespace
} // namespace tuff::test
