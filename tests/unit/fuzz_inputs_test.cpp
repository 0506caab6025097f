#include "config_toys.hpp"
#include "tests/fuzz/inputs.hpp"
#include "tests/oracle/random_graph.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// A short, fixed run of what the fuzz targets do, with any compiler and without libFuzzer.
namespace tuff {
namespace {

TEST(FuzzInputs, GraphsOfEveryModeCompileToSoundPlans) {
    EXPECT_EQ(fuzz::objection_to_graph({}), "");
    for (std::uint32_t modes = 0; modes < 256; ++modes) {
        std::vector<std::uint8_t> bytes = {static_cast<std::uint8_t>(modes)};
        const oracle::Program program = oracle::random_program(9000 + modes, 64);
        bytes.insert(bytes.end(), program.begin(), program.end());
        ASSERT_EQ(fuzz::objection_to_graph(bytes), "") << "modes " << modes;
    }
}

/// Something of everything that a config may have.
constexpr std::string_view kConfig = R"({"tuff": 1, // a comment
"description": "toys", "size": [64, 32], "params": {"sigma": {"keys": [[0, 1], [2.5, 4]]},
"times": 2}, "assets": {"noise": {"generate": "noise", "size": [8, 8]}},
"history": {"old": {"from": "b.result", "format": "rgba32_sfloat", "size": ["$width", "$height"],
"clear": [0, 0, 0, 1]}}, "nodes": {"s": {"pass": "toy/source", "params": {"size": [16, 16]}},
"b": {"pass": "toy/blur", "in": {"source": "s.result"}, "queue": "compute", "params":
{"sigma": "$sigma", "mode": "hard", "weights": [1, 2], "camera": {"angle": 60}}},
"r": {"pass": "toy/blur", "in": {"source": "b.result"}, "repeat": "$times",
"carry": {"source": "result"}}, "g": {"pass": "toy/grid"},
"m": {"pass": "toy/mix", "in": {"sources": ["s.result", "r.result", "old"]}}},
"outputs": {"m": {"from": "m.result", "file": "m.png"}, "cells": "g.grid.cells"}})";

constexpr std::array kWords = {R"("until": "result", "max": 3)",
                               R"("$)",
                               "1e999",
                               "[[[[",
                               "{}",
                               R"("carry": {)",
                               "-1",
                               "\xff\xfe",
                               R"("m.result")",
                               "null"};

TEST(FuzzInputs, DamagedConfigsAreBuiltOrRefused) {
    const PassRegistry registry = toys::make_registry();
    const auto whole = Config::parse(kConfig, "whole.json", registry);
    ASSERT_TRUE(whole) << to_string(whole.error());
    EXPECT_EQ(fuzz::objection_to_config(kConfig), "");
    for (std::size_t end = 0; end < kConfig.size(); end += 7)
        ASSERT_EQ(fuzz::objection_to_config(kConfig.substr(0, end)), "") << "cut at " << end;
    std::minstd_rand random(1);
    const auto below = [&](std::size_t bound) { return random() % bound; };
    for (int round = 0; round < 400; ++round) {
        std::string text(kConfig);
        for (std::size_t damage = 0; damage <= below(3); ++damage) {
            const std::size_t at = below(text.size());
            switch (below(4)) {
            case 0: text[at] = static_cast<char>(below(256)); break;
            case 1: text.erase(at, 1 + below(12)); break;
            case 2: text.insert(at, kWords[below(kWords.size())]); break;
            default: text.insert(at, text.substr(below(text.size()), below(60))); break;
            }
        }
        ASSERT_EQ(fuzz::objection_to_config(text), "") << text;
    }
}

} // namespace
} // namespace tuff
