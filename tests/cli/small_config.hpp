#pragma once

#include <string>
#include <string_view>

namespace tuff::test {

/// A config that is right in every part; the error tests spoil one of them at a time.
inline constexpr std::string_view kGoodConfig = R"json({
    "tuff": 1,
    "size": [32, 16],
    "params": {"exposure": {"default": 0.0, "range": [-4, 4]}},
    "assets": {"board": {"generate": "checker", "size": [32, 16], "cell": 4}},
    "nodes": {
        "blur": {"pass": "image/gaussian", "in": {"source": "board"}, "params": {"sigma": 1.5}},
        "tone": {"pass": "image/tonemap", "in": {"source": "blur.result"},
                 "params": {"exposure": "$exposure"}}
    },
    "outputs": {"picture": {"from": "tone.result", "file": "picture.png"},
                "soft": "blur.result"}
})json";

/// `kGoodConfig` with the first `from` replaced by `to`.
inline std::string spoiled(std::string_view from, std::string_view to) {
    std::string text(kGoodConfig);
    if (const std::size_t at = text.find(from); at != std::string::npos)
        text.replace(at, from.size(), to);
    return text;
}

} // namespace tuff::test
